//! Where pages end, by estimate: Word knows it only once it has laid the document out, but the table of contents
//! is to be filled when the file is opened.

/// The page that is being filled.
#[derive(Debug, Clone)]
pub struct Flow {
    page: usize,
    used: f64,
    height: f64,
    /// Heights of the cells that are being written, the innermost last.
    cells: Vec<f64>,
}

impl Flow {
    #[must_use]
    pub fn new(height: f64) -> Self {
        Self {
            page: 1,
            used: 0.0,
            height: height.max(72.0),
            cells: Vec::new(),
        }
    }

    #[must_use]
    pub fn page(&self) -> usize {
        self.page
    }

    /// How much of the page is filled, from 0 to 1.
    #[must_use]
    pub fn filled(&self) -> f64 {
        self.used / self.height
    }

    /// Text that may go on over the page's end.
    pub fn add(&mut self, points: f64) {
        if let Some(cell) = self.cells.last_mut() {
            *cell += points;
            return;
        }
        self.used += points.max(0.0);
        while self.used > self.height {
            self.page += 1;
            self.used -= self.height;
        }
    }

    /// Something that stands on one page if a page has room for it.
    pub fn add_whole(&mut self, points: f64) {
        if self.cells.is_empty() && self.used + points > self.height && points <= self.height {
            self.turn();
        }
        self.add(points);
    }

    /// A heading, which needs some of what follows beside it.
    pub fn add_heading(&mut self, points: f64, following: f64) {
        if self.cells.is_empty()
            && self.used + points + following.min(self.height * 0.8) > self.height
        {
            self.turn();
        }
        self.add(points);
    }

    /// Begins a page, unless nothing stands on this one.
    pub fn turn(&mut self) {
        if self.used > 0.0 {
            self.page += 1;
            self.used = 0.0;
        }
    }

    /// The page has another height from here on.
    pub fn set_height(&mut self, height: f64) {
        self.height = height.max(72.0);
    }

    pub fn open_cell(&mut self) {
        self.cells.push(0.0);
    }

    /// The height of the cell.
    pub fn close_cell(&mut self) -> f64 {
        self.cells.pop().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_fill_and_turn() {
        let mut flow = Flow::new(100.0);
        flow.add(90.0);
        flow.add_heading(10.0, 45.0);
        assert_eq!(flow.page(), 2);
        flow.add(250.0);
        assert_eq!(flow.page(), 4);
        flow.turn();
        flow.turn();
        assert_eq!(flow.page(), 5);
        flow.open_cell();
        flow.add_whole(500.0);
        assert_eq!((flow.close_cell(), flow.page()), (500.0, 5));
    }
}
