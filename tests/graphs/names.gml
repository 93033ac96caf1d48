graph [
  node [
    id 0
    label "Ann"
  ]
  node [
    id 1
    label "Bob"
  ]
  node [
    id 2
    label "Cy"
  ]
  node [
    id 3
    label "Dee"
  ]
  node [
    id 4
    label "Eve"
  ]
  edge [
    source 0
    target 1
    weight 3
  ]
  edge [
    source 0
    target 3
  ]
  edge [
    source 0
    target 2
  ]
  edge [
    source 1
    target 2
    since "a - b"
    note "{x}"
  ]
  edge [
    source 2
    target 3
  ]
]
