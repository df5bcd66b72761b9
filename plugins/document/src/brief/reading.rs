//! The order in which a brief is read: its mails, chats and letters first, then its parts.

use std::borrow::Cow;

use gtm_document_model::block::{Block, Paragraph};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::PLAYBOOKS;
use gtm_lexicon::{fold, split};

use super::{
    Addressee, Beside, Brief, Part, Reading, Wishes, asides, asks, called, chapters, chats,
    corrections, directions, greetings, head, html, html_document, labeled, letters, line_kinds,
    lines, mails, markdown, marked_asides, marks, mentions, notations, one_line, orders, outline,
    own_date, preface, price_lines, private_notes, retractions, running_prose, signatures,
    soft_breaks, texts_of, title,
};

/// Most notes of colleagues that a brief has below one another.
const MOST_NOTES: usize = 4;
/// Fewest words of the writer's own that make a document without the mail that they quote.
const OWN_WORDS: usize = 30;
/// Fewest headings naming slides of a brief that is written slide by slide.
const FEWEST_SLIDES: usize = 2;
/// Most parts of a brief that become content.
const MOST_PARTS: usize = 6_000;

impl Brief {
    /// Reads a brief in a language.
    #[must_use]
    pub fn read(text: &str, language: &str) -> Self {
        Self::read_as(text, language, false)
    }

    /// Reads a brief in a language; `advises` says that its document is to advise whoever sells.
    #[must_use]
    pub fn read_as(text: &str, language: &str, advises: bool) -> Self {
        Self::read_for(text, language, advises, false)
    }

    /// Reads a brief of which what has the form of content is printed as it stands.
    #[must_use]
    pub fn read_to_print(text: &str, language: &str, advises: bool) -> Self {
        Self::read_for(text, language, advises, true)
    }

    fn read_for(text: &str, language: &str, advises: bool, to_print: bool) -> Self {
        let text = match html_document::as_markdown(text) {
            Some(markdown) => Cow::Owned(markdown),
            None => html::without_tags(text),
        };
        let signed = signatures::without_mails_own(&text);
        let (text, signature) = match signed {
            Some((text, signature)) => (Cow::Owned(text), signature),
            None => (text, Vec::new()),
        };
        let (text, left_out) = marked_asides::parted(&text);
        let written = to_print.then(|| running_prose::Written::of(&text));
        let reading = Reading {
            language,
            advises,
            to_print: written.as_ref(),
            is_mail: !signature.is_empty(),
        };
        let mut brief = Self::of_source(&text, reading);
        brief.withheld.splice(0..0, left_out);
        brief.mail_frame.extend(signature);
        brief
    }

    /// Reads a text that may be a mail.
    fn of_source(text: &str, reading: Reading<'_>) -> Self {
        let Some(mails) = mails::Mails::of(text) else {
            return Self::of_pasted(text, reading, true);
        };
        let Reading { language, .. } = reading;
        let reading = Reading {
            is_mail: true,
            ..reading
        };
        if let Some(mut brief) = letters::above(&mails, language) {
            brief.title = brief.title.or(mails.subject);
            brief.mail_frame = mails.heads.into_iter().chain(brief.mail_frame).collect();
            return brief;
        }
        if mails.quotes {
            // Where the writer's own words make a document, what a customer wrote is only what they answer.
            let mut own = Self::of_pasted(&mails.own, reading, false);
            if own.words() >= OWN_WORDS {
                let lines = mails.heads.into_iter().chain(mails.quoted);
                let lines = lines.chain(own.mail_frame);
                own.mail_frame = lines.filter(|line| !line.is_empty()).collect();
                return own;
            }
        }
        let mut brief = Self::of_pasted(&mails.text, reading, !mails.quotes);
        if brief.is_letter {
            brief.title = brief.title.or(mails.subject);
            if !mails.quotes {
                letters::headed(&mut brief, &mails.heads, language);
            }
        } else {
            brief.subject = mails.subject.filter(|it| title::may_be_one(it, language));
        }
        brief.mail_frame.splice(0..0, mails.heads);
        brief
    }

    /// Reads a text that may be copied from a chat or a letter.
    fn of_pasted(text: &str, reading: Reading<'_>, may_be_letter: bool) -> Self {
        let Reading { language, .. } = reading;
        if let Some(chat) = chats::Chat::of(text, language) {
            let beside = Beside {
                directions: chat.directions,
                to_colleagues: false,
                is_chat: true,
            };
            let mut brief = Self::of_text(&chat.text, reading, beside);
            brief.withheld.extend(chat.withheld);
            return brief;
        }
        let mut note = text.to_owned();
        let mut frame = Vec::new();
        // A note may have another one below it.
        for _ in 0..MOST_NOTES {
            match letters::Found::of(&note, language) {
                Some(letters::Found::Letter(letter))
                    if may_be_letter
                        && frame.is_empty()
                        && (reading.to_print.is_none() || letter.is_for_its_reader(language)) =>
                {
                    return letter.brief(language);
                }
                Some(letters::Found::Note { text, frame: found }) if !found.is_empty() => {
                    note = text;
                    frame.extend(found);
                }
                _ => break,
            }
        }
        let below = letters::call_at_the_top(&note);
        frame.extend(below.map(|(call, _)| call.to_owned()));
        let note = below.map_or(note.as_str(), |(_, below)| below);
        // Whom the note greets, it may call again: `Oh and Priya, keep it short.`
        let greeting = greetings::greeting(note, language);
        let note = greeting.as_ref().map_or(note, |greeting| &greeting.below);
        let colleagues = called::greeted(&frame, greeting.as_ref());
        frame.extend(greeting.as_ref().map(|greeting| greeting.line.clone()));
        let to_colleagues = !colleagues.is_empty() || !frame.is_empty() || greetings::greets(note);
        let signed = to_colleagues
            .then(|| signatures::without_names_at_the_end(note))
            .flatten();
        let signed = signed.unwrap_or_else(|| signatures::Signed::without(note));
        frame.extend(signed.names);
        let note = signed.note;
        let (note, called) = called::without(&note, &colleagues, language);
        let beside = Beside {
            directions: called,
            to_colleagues,
            is_chat: false,
        };
        let mut brief = Self::of_text(&note, reading, beside);
        brief.mail_frame = frame;
        brief.withheld.extend(signed.below);
        brief
    }

    /// Reads a text, with what is known of it from what stood around it.
    pub(super) fn of_text(text: &str, reading: Reading<'_>, beside: Beside) -> Self {
        let Reading {
            language, advises, ..
        } = reading;
        let (above, text) = preface::above_a_rule(text, language)
            .map_or((None, text), |(above, below)| (Some(above), below));
        let plain = notations::without(text);
        let plain = price_lines::without_leaders(&plain);
        let mut read = markdown::read(&lines::as_markdown(&marks::as_markdown(&plain)));
        let surplus = read.parts.len().saturating_sub(MOST_PARTS);
        read.parts.truncate(MOST_PARTS);
        let mut brief = Self {
            directions: beside.directions,
            pictures: read.pictures,
            unlinked: read.unlinked,
            surplus,
            ..Self::default()
        };
        let struck = read
            .struck
            .iter()
            .map(|text| one_line(&text.replace(soft_breaks::SOFT_BREAK, " ")));
        brief
            .withheld
            .extend(struck.filter(|text| !text.is_empty()));
        let above = above.map(|above| markdown::read(&lines::as_markdown(above)).parts);
        let (parts, mut told) = preface::parted(read.parts, language);
        told.splice(0..0, preface::told(above.unwrap_or_default(), language));
        let told = brief.kept_quiet(told, language);
        let parts = brief.take_title(parts, language);
        let advises = advises || speaks_of_a_playbook(brief.title.as_deref(), &parts);
        let kind = match advises {
            true => private_notes::Kind::Advice,
            false => private_notes::Kind::Document,
        };
        let private_notes::Parted { parts, notes, bans } =
            private_notes::parted(parts, language, kind);
        let corrections::Corrected {
            parts,
            corrected,
            doubtful,
        } = corrections::made(parts, language);
        let (parts, taken_back) = retractions::without(parts, language);
        brief
            .corrected
            .extend(corrected.into_iter().chain(taken_back));
        brief.doubtful = doubtful;
        let (parts, orders) = match advises {
            true => (parts, Vec::new()),
            false => mentions::told(parts, language),
        };
        let (parts, asides) = asides::parted(parts, language);
        let head = head::taken(parts, brief.title.is_some());
        brief.title = brief.title.or(head.title);
        brief.cover_facts = head.facts;
        let (parts, above) = preface::above_a_head(head.parts, head.at, language);
        let (parts, date) = own_date::taken(parts, language);
        match date {
            Some(day) => {
                brief.date = Some(day);
                brief.cover_facts.extend(head.month);
            }
            None => brief.date_words = head.month,
        }
        let told: Vec<String> = told.into_iter().chain(above).collect();
        let directions::Parted {
            content: parts,
            directions,
            case_study,
            customer,
        } = directions::parted(
            parts,
            language,
            &told,
            brief.title.is_some(),
            beside.to_colleagues,
        );
        brief.directions.extend(told);
        brief.directions.extend(head.readers);
        let parts = brief.take_first_lines(parts);
        brief.directions.extend(directions);
        brief.case_study |= case_study;
        brief.directions.extend(asides);
        brief.directions.extend(orders);
        brief.directions.extend(bans);
        brief.orders_letter = brief
            .directions
            .iter()
            .any(|it| orders::orders_a_letter(it, language));
        if brief.orders_letter {
            let reader = letters::reader_in(&brief.directions, language);
            brief.letter_reader = reader.unwrap_or_default();
        }
        brief.wishes = Wishes::of(&brief.directions);
        // An order to keep quiet may say more: `8 slides, and only say the price on request`.
        let Wishes {
            slides,
            pages,
            items,
            ..
        } = Wishes::of(&notes);
        brief.wishes.slides = brief.wishes.slides.or(slides);
        brief.wishes.pages = brief.wishes.pages.or(pages);
        brief.wishes.items = brief.wishes.items.or(items);
        brief.withheld.extend(notes);
        brief.addressee = Addressee::of(&brief.directions, language);
        if case_study {
            // It tells of a customer, and is for everybody.
            let Addressee {
                recipient, subject, ..
            } = std::mem::take(&mut brief.addressee);
            brief.addressee.subject = customer.or(subject).or(recipient);
        }
        let parts = labeled::parted(
            parts.into_iter().map(soft_breaks::settled).collect(),
            language,
        );
        let (parts, asked) = asks::parted(parts, language);
        brief.asks = asked.asks;
        brief.ask_heading = asked.heading;
        brief.calls = asked.calls;
        let is_marked = text.lines().any(line_kinds::is_heading);
        let mut parts = labeled::headed(parts, is_marked);
        if let Some(written) = reading.to_print {
            let addressed = reading.is_mail
                || beside.is_chat
                || beside.to_colleagues
                || !brief.withheld.is_empty();
            (parts, brief.running_prose) =
                running_prose::without(parts, written, addressed, language);
        }
        let parts = outline::followed(parts, &outline::of(&brief.directions));
        let (chapters, slides) = chapters::of(parts);
        brief.chapters = chapters;
        brief.slides = slides >= FEWEST_SLIDES;
        brief.take_first_line(language);
        let last = brief.chapters.last();
        let last = last.and_then(|chapter| texts_of(&chapter.blocks).pop());
        brief.calls |= last.is_some_and(|text| {
            asks::ends_with_call(&text, language) || asks::ends_with_address(&text)
        });
        brief
    }

    /// What is told to the writer without what is told in confidence.
    fn kept_quiet(&mut self, told: Vec<String>, language: &str) -> Vec<String> {
        let part = |text: String| {
            let runs = vec![Run::plain(text)];
            Part::Block(Block::Paragraph(Paragraph::of(runs)))
        };
        let parts = told.into_iter().map(part).collect();
        let private_notes::Parted { parts, notes, bans } =
            private_notes::parted(parts, language, private_notes::Kind::Document);
        self.withheld.extend(notes);
        let said = parts.into_iter().filter_map(|part| match part {
            Part::Block(block) => texts_of(&[block]).into_iter().next(),
            Part::Heading { .. } => None,
        });
        said.chain(bans).collect()
    }
}

/// Whether the title or the beginning calls the document a playbook.
fn speaks_of_a_playbook(title: Option<&str>, parts: &[Part]) -> bool {
    let opening = parts.iter().find_map(|part| match part {
        Part::Block(Block::Paragraph(paragraph)) => Some(plain_text(&paragraph.runs)),
        _ => None,
    });
    let texts = title.map(str::to_owned).into_iter().chain(opening);
    let mut folded = texts.map(|text| fold(&text));
    folded.any(|text| PLAYBOOKS.any_in(&split(&text)))
}
