//! A small map from layers to values. Few layers are kept at a time, so a sorted vector does, which takes a tenth of the time to
//! compile for each type of values.

/// Values by layer, in order.
pub struct LayerMap<T>(Vec<(u32, T)>);

impl<T> LayerMap<T> {
    pub fn new() -> LayerMap<T> {
        LayerMap(Vec::new())
    }

    fn find(&self, layer: u32) -> Result<usize, usize> {
        self.0.binary_search_by_key(&layer, |(of, _)| *of)
    }

    pub fn get(&self, layer: u32) -> Option<&T> {
        self.find(layer).ok().map(|at| &self.0[at].1)
    }

    pub fn get_mut(&mut self, layer: u32) -> Option<&mut T> {
        self.find(layer).ok().map(|at| &mut self.0[at].1)
    }

    /// The value of a layer, made by `new` if there is none yet.
    #[inline]
    pub fn entry(&mut self, layer: u32, new: impl FnOnce() -> T) -> &mut T {
        let at = self.find(layer).unwrap_or_else(|at| {
            self.0.insert(at, (layer, new()));
            at
        });
        &mut self.0[at].1
    }

    pub fn remove(&mut self, layer: u32) -> Option<T> {
        self.find(layer).ok().map(|at| self.0.remove(at).1)
    }

    /// The first layer.
    pub fn first(&self) -> Option<u32> {
        self.0.first().map(|(layer, _)| *layer)
    }

    pub fn iter(&self) -> std::slice::Iter<'_, (u32, T)> {
        self.0.iter()
    }

    /// Removes all values, and returns them.
    pub fn take(&mut self) -> Vec<(u32, T)> {
        std::mem::take(&mut self.0)
    }

    /// Removes the layers after `last`.
    pub fn truncate(&mut self, last: u32) {
        self.0.retain(|(layer, _)| *layer <= last);
    }
}
