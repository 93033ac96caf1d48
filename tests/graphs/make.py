"""Writes the networkx files in this folder; README.md lists the nauty commands for the others."""

import json
import sys

import networkx as nx

graph = nx.Graph()
graph.add_nodes_from(["Ann", "Bob", "Cy", "Dee", "Eve"])
graph.add_edge("Ann", "Bob", weight=3)
graph.add_edge("Bob", "Cy", since="a - b", note="{x}")
graph.add_edge("Cy", "Dee")
graph.add_edge("Dee", "Ann")
graph.add_edge("Cy", "Ann")

nx.write_gml(graph, "names.gml")
nx.write_graphml(graph, "names.graphml")
nx.write_edgelist(graph, "names.edgelist")
nx.write_weighted_edgelist(nx.Graph([(0, 1, {"weight": 2.5}), (1, 2, {"weight": 1})]), "weighted.edgelist")
nx.write_adjlist(graph, "names.adjlist")
nx.nx_pydot.write_dot(graph, "names.dot")
for key in ["links", "edges"]:
    with open(f"names-{key}.json", "w") as file:
        json.dump(nx.node_link_data(graph, edges=key), file)
# Vertices are tuples.
grid = nx.grid_2d_graph(2, 3)
nx.write_gml(grid, "grid.gml", stringizer=str)
nx.write_graphml(grid, "grid.graphml")
with open("grid.json", "w") as file:
    json.dump(nx.node_link_data(grid, edges="links"), file)
nx.write_graph6(nx.petersen_graph(), "petersen.g6")
nx.write_sparse6(nx.petersen_graph(), "petersen.s6")
nx.write_gml(nx.DiGraph([(0, 1)]), "directed.gml")
nx.write_graphml(nx.DiGraph([(0, 1)]), "directed.graphml")
nx.nx_pydot.write_dot(nx.DiGraph([(0, 1)]), "directed.dot")
with open("directed.json", "w") as file:
    json.dump(nx.node_link_data(nx.DiGraph([(0, 1)]), edges="links"), file)
print("networkx", nx.__version__, file=sys.stderr)
