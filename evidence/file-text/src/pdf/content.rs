//! The operators of content that show text, as far as they say what stands where.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::file::File;
use super::font::Font;
use super::geometry::Matrix;
use super::object::{Dict, Lexer, Object};
use super::paint::{Area, Ground, Path, Pen, Seen};
use super::strings;
use crate::Refusal;

/// Deepest nesting of forms in forms.
const MAX_FORMS: usize = 8;
/// What showing a form costs besides its content, in steps.
const FORM_STEPS: usize = 500;
/// Deepest nesting of saved states and of marked content.
const MAX_NESTING: usize = 256;
/// Most operands of an operator. `scn` has at most 33.
const MAX_OPERANDS: usize = 64;
/// Most glyphs of a page. A dense one has some ten thousand.
const MAX_GLYPHS: usize = 200_000;

/// A glyph on the page. Its place is in a frame that is turned so that the text runs to the right.
#[derive(Debug, Clone)]
pub(super) struct Glyph {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) size: f64,
    /// Direction in which its text runs, in hundredths of a unit vector.
    pub(super) direction: (i64, i64),
    pub(super) text: Rc<str>,
    /// Whether the file calls it no part of the content: a running head, a page number.
    pub(super) artifact: bool,
    pub(super) seen: Seen,
    /// Where its middle is on the page.
    pub(super) middle: (f64, f64),
}

#[derive(Clone)]
struct State {
    matrix: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    character_space: f64,
    word_space: f64,
    scale: f64,
    leading: f64,
    rise: f64,
    pen: Pen,
}

impl Default for State {
    fn default() -> Self {
        Self {
            matrix: Matrix::default(),
            font: None,
            size: 0.0,
            character_space: 0.0,
            word_space: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
            pen: Pen::default(),
        }
    }
}

/// A piece of marked content.
struct Mark {
    /// What its glyphs say, if the file tells. Once said, it is empty.
    actual: Option<Rc<str>>,
    artifact: bool,
}

/// Reads pages one after another, and keeps their fonts.
#[derive(Default)]
pub(super) struct Interpreter {
    fonts: BTreeMap<u32, Rc<Font>>,
    glyphs: Vec<Glyph>,
    marks: Vec<Mark>,
    /// Marks beyond the deepest nesting.
    further_marks: usize,
    ground: Ground,
    /// How many texts nobody sees.
    pub(super) hidden: usize,
    /// Whether a page had more glyphs than are kept.
    pub(super) cut: bool,
}

impl Interpreter {
    /// The glyphs that are seen on a page with a box, in the order in which it shows them.
    pub(super) fn page(
        &mut self,
        file: &mut File<'_, '_>,
        content: &[u8],
        resources: &Rc<Dict>,
        page: Option<Area>,
    ) -> Result<Vec<Glyph>, Refusal> {
        self.marks.clear();
        self.further_marks = 0;
        self.ground = Ground::of_page(page);
        self.content(file, content, resources, State::default(), 0)?;
        let mut glyphs = std::mem::take(&mut self.glyphs);
        let is_all = !glyphs.iter().any(|glyph| glyph.seen == Seen::Yes);
        let mut in_hidden = false;
        glyphs.retain(|glyph| {
            let is_seen = match glyph.seen {
                Seen::Yes => true,
                Seen::No => false,
                Seen::InPicture => self.ground.shows(glyph.middle, is_all),
            };
            let says_something = glyph.text.contains(char::is_alphanumeric);
            if says_something {
                self.hidden += usize::from(!is_seen && !in_hidden);
                in_hidden = !is_seen;
            }
            is_seen
        });
        Ok(glyphs)
    }

    fn content(
        &mut self,
        file: &mut File<'_, '_>,
        content: &[u8],
        resources: &Rc<Dict>,
        state: State,
        forms: usize,
    ) -> Result<(), Refusal> {
        let mut run = Run {
            state,
            saved: Vec::new(),
            text: Matrix::default(),
            line: Matrix::default(),
            path: Path::default(),
        };
        let mut lexer = Lexer::new(content, 0, false);
        let mut operands: Vec<Object> = Vec::new();
        while let Some((object, values)) = lexer.next_object() {
            file.budget.step(values)?;
            let Some(operator) = object.keyword() else {
                if operands.len() < MAX_OPERANDS {
                    operands.push(object);
                }
                continue;
            };
            match operator {
                b"true" | b"false" => {
                    operands.push(Object::Null);
                    continue;
                }
                b"BI" => {
                    self.ground.picture(&run.state.matrix);
                    if !lexer.skip_picture() {
                        break;
                    }
                }
                b"Tf" => {
                    run.state.size = number(&operands, 1);
                    run.state.font = self.font(file, resources, operands.first())?;
                }
                b"Do" if forms < MAX_FORMS => {
                    let name = operands.first().and_then(Object::name).unwrap_or_default();
                    self.form(file, name, resources, &run.state, forms)?;
                }
                b"BMC" | b"BDC" => self.mark(file, resources, &operands)?,
                b"EMC" if self.further_marks > 0 => self.further_marks -= 1,
                b"EMC" => drop(self.marks.pop()),
                b"Tj" => self.show(file, &mut run, operands.first())?,
                b"'" => {
                    run.next_line();
                    self.show(file, &mut run, operands.first())?;
                }
                b"\"" => {
                    run.state.word_space = number(&operands, 0);
                    run.state.character_space = number(&operands, 1);
                    run.next_line();
                    self.show(file, &mut run, operands.get(2))?;
                }
                b"TJ" => {
                    let items = operands.first().and_then(Object::array).unwrap_or_default();
                    for item in items {
                        match item {
                            Object::Number(_) => run.kern(item.number().unwrap_or(0.0)),
                            item => self.show(file, &mut run, Some(item))?,
                        }
                    }
                }
                operator => {
                    run.apply(operator, &operands);
                    run.state.pen.apply(operator, &operands);
                    let (matrix, pen) = (&run.state.matrix, run.state.pen);
                    run.path
                        .apply(operator, &operands, (matrix, pen), &mut self.ground);
                }
            }
            operands.clear();
        }
        Ok(())
    }

    fn font(
        &mut self,
        file: &mut File<'_, '_>,
        resources: &Dict,
        name: Option<&Object>,
    ) -> Result<Option<Rc<Font>>, Refusal> {
        let fonts = file.get(resources, "Font")?;
        let name = name.and_then(Object::name).unwrap_or_default();
        let Some(font) = fonts.dict().and_then(|fonts| fonts.get(name)).cloned() else {
            return Ok(None);
        };
        let number = match font {
            Object::Reference(number) => Some(number),
            _ => None,
        };
        if let Some(known) = number.and_then(|number| self.fonts.get(&number)) {
            return Ok(Some(Rc::clone(known)));
        }
        let font = file.resolve(&font)?;
        let Some(dict) = font.dict() else {
            return Ok(None);
        };
        let font = Rc::new(Font::read(file, dict)?);
        self.fonts
            .extend(number.map(|number| (number, Rc::clone(&font))));
        Ok(Some(font))
    }

    fn form(
        &mut self,
        file: &mut File<'_, '_>,
        name: &[u8],
        resources: &Rc<Dict>,
        state: &State,
        forms: usize,
    ) -> Result<(), Refusal> {
        let objects = file.get(resources, "XObject")?;
        let Some(form) = objects
            .dict()
            .and_then(|objects| objects.get(name))
            .cloned()
        else {
            return Ok(());
        };
        let Object::Stream(form) = file.resolve(&form)? else {
            return Ok(());
        };
        if file.get(&form.dict, "Subtype")?.name() != Some(b"Form") {
            self.ground.picture(&state.matrix);
            return Ok(());
        }
        let matrix = file.get(&form.dict, "Matrix")?;
        let matrix = Matrix::of(matrix.array().unwrap_or_default()).unwrap_or_default();
        let matrix = matrix.then(&state.matrix);
        let own = file.get(&form.dict, "Resources")?;
        let resources = own.dict().unwrap_or(resources);
        // Without a font it shows no text: a drawing, which may be large and stand on each page.
        if !resources.contains_key(b"Font".as_slice())
            && !resources.contains_key(b"XObject".as_slice())
        {
            let bounds = file.get(&form.dict, "BBox")?;
            self.ground
                .drawing(bounds.array().unwrap_or_default(), &matrix);
            return Ok(());
        }
        let state = State {
            matrix,
            ..state.clone()
        };
        file.budget.step(FORM_STEPS)?;
        let content = file.data(&form)?;
        let marks = self.marks.len();
        self.content(file, &content, resources, state, forms + 1)?;
        self.marks.truncate(marks);
        Ok(())
    }

    fn mark(
        &mut self,
        file: &mut File<'_, '_>,
        resources: &Dict,
        operands: &[Object],
    ) -> Result<(), Refusal> {
        if self.marks.len() >= MAX_NESTING {
            self.further_marks += 1;
            return Ok(());
        }
        let properties = match operands.get(1) {
            Some(Object::Name(name)) => {
                let all = file.get(resources, "Properties")?;
                let named = all.dict().and_then(|all| all.get(name)).cloned();
                file.resolve(&named.unwrap_or(Object::Null))?
            }
            Some(properties) => properties.clone(),
            None => Object::Null,
        };
        let actual = match properties.dict() {
            Some(properties) => file.get(properties, "ActualText")?,
            None => Object::Null,
        };
        let outer = self.marks.last();
        let artifact = outer.is_some_and(|outer| outer.artifact)
            || operands.first().and_then(Object::name) == Some(b"Artifact");
        let said = outer
            .and_then(|outer| outer.actual.as_ref())
            .map(|_| Rc::from(""));
        self.marks.push(Mark {
            actual: said.or_else(|| actual.text().map(|text| strings::text(text).into())),
            artifact,
        });
        Ok(())
    }

    fn show(
        &mut self,
        file: &mut File<'_, '_>,
        run: &mut Run,
        string: Option<&Object>,
    ) -> Result<(), Refusal> {
        let Some(mut bytes) = string.and_then(Object::text) else {
            return Ok(());
        };
        let Some(font) = run.state.font.clone() else {
            return Ok(());
        };
        file.budget.step(bytes.len())?;
        while let Some((shown, length)) = font.next(bytes) {
            bytes = bytes.get(length..).unwrap_or_default();
            let spacing = run.state.character_space
                + if shown.is_space {
                    run.state.word_space
                } else {
                    0.0
                };
            let advance = shown.width * run.state.size + spacing;
            let (dx, dy) = if font.vertical {
                (0.0, -advance)
            } else {
                (advance * run.state.scale, 0.0)
            };
            let mark = self.marks.last_mut();
            let artifact = mark.as_ref().is_some_and(|mark| mark.artifact);
            let text = match mark.and_then(|mark| mark.actual.as_mut()) {
                Some(actual) => Some(std::mem::replace(actual, Rc::from(""))),
                None => shown.text,
            };
            if let Some(text) = text.filter(|text| !text.is_empty()) {
                if self.glyphs.len() >= MAX_GLYPHS {
                    self.cut = true;
                    return Ok(());
                }
                let glyph = run.glyph(text, (dx, dy), artifact, &self.ground);
                self.glyphs.extend(glyph);
            }
            run.text = Matrix::moved(dx, dy).then(&run.text);
        }
        Ok(())
    }
}

/// The state of one content stream.
struct Run {
    state: State,
    saved: Vec<State>,
    text: Matrix,
    line: Matrix,
    path: Path,
}

fn number(operands: &[Object], at: usize) -> f64 {
    operands.get(at).and_then(Object::number).unwrap_or(0.0)
}

impl Run {
    fn apply(&mut self, operator: &[u8], operands: &[Object]) {
        let first = number(operands, 0);
        let state = &mut self.state;
        match operator {
            b"q" if self.saved.len() < MAX_NESTING => self.saved.push(state.clone()),
            b"Q" => {
                if let Some(saved) = self.saved.pop() {
                    self.state = saved;
                }
            }
            b"cm" => {
                if let Some(matrix) = Matrix::of(operands) {
                    state.matrix = matrix.then(&state.matrix);
                }
            }
            b"BT" => {
                self.text = Matrix::default();
                self.line = Matrix::default();
            }
            b"Tc" => state.character_space = first,
            b"Tw" => state.word_space = first,
            b"Tz" => state.scale = first / 100.0,
            b"TL" => state.leading = first,
            b"Ts" => state.rise = first,
            b"Td" => self.move_line(first, number(operands, 1)),
            b"TD" => {
                state.leading = -number(operands, 1);
                self.move_line(first, number(operands, 1));
            }
            b"Tm" => {
                if let Some(matrix) = Matrix::of(operands) {
                    self.line = matrix;
                    self.text = matrix;
                }
            }
            b"T*" => self.next_line(),
            _ => {}
        }
    }

    fn move_line(&mut self, dx: f64, dy: f64) {
        self.line = Matrix::moved(dx, dy).then(&self.line);
        self.text = self.line;
    }

    fn next_line(&mut self) {
        self.move_line(0.0, -self.state.leading);
    }

    /// Moves by thousandths of the size, against the direction of the text.
    fn kern(&mut self, thousandths: f64) {
        let distance = -thousandths / 1000.0 * self.state.size;
        let vertical = self.state.font.as_ref().is_some_and(|font| font.vertical);
        let (dx, dy) = if vertical {
            (0.0, distance)
        } else {
            (distance * self.state.scale, 0.0)
        };
        self.text = Matrix::moved(dx, dy).then(&self.text);
    }

    /// A glyph at the present place; `None` if it has no extent.
    fn glyph(
        &self,
        text: Rc<str>,
        advance: (f64, f64),
        artifact: bool,
        ground: &Ground,
    ) -> Option<Glyph> {
        let matrix = self.text.then(&self.state.matrix);
        let (x, y) = matrix.point(0.0, self.state.rise);
        let vertical = advance.1 != 0.0;
        // The text runs to the right of its own frame, or downwards in a vertical font.
        let (along_x, along_y) = if vertical {
            matrix.vector(0.0, -1.0)
        } else {
            matrix.vector(1.0, 0.0)
        };
        let (up_x, up_y) = if vertical {
            matrix.vector(1.0, 0.0)
        } else {
            matrix.vector(0.0, 1.0)
        };
        let along = (along_x * along_x + along_y * along_y).sqrt();
        let size = (up_x * up_x + up_y * up_y).sqrt() * self.state.size.abs();
        let (unit_x, unit_y) = (along_x / along, along_y / along);
        let distance = if vertical { advance.1.abs() } else { advance.0 };
        let end = (x + along_x * distance, y + along_y * distance);
        let seen = ground.sees(self.state.pen, (x, y), end, size);
        let middle = ((x + end.0) / 2.0, (y + end.1) / 2.0);
        let place = [
            x * unit_x + y * unit_y,
            y * unit_x - x * unit_y,
            distance * along,
            size,
        ];
        let sane = place
            .iter()
            .all(|value| value.is_finite() && value.abs() < 1e7)
            && size > 0.01;
        // The casts saturate, and the values are at most 100.
        #[allow(clippy::cast_possible_truncation)]
        let direction = (
            (unit_x * 100.0).round() as i64,
            (unit_y * 100.0).round() as i64,
        );
        let [x, y, width, size] = place;
        sane.then_some(Glyph {
            x,
            y,
            width,
            size,
            direction,
            text,
            artifact,
            seen,
            middle,
        })
    }
}
