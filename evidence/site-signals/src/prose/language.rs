//! What languages need to be known for.

/// Languages whose prose is measured beyond what every script shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    German,
    French,
    Spanish,
    Dutch,
    Italian,
    Portuguese,
}

impl Language {
    /// The language of a BCP 47 tag.
    pub(super) fn of(tag: &str) -> Option<Self> {
        let primary = tag.split(['-', '_']).next()?.to_ascii_lowercase();
        match primary.as_str() {
            "en" => Some(Self::English),
            "de" => Some(Self::German),
            "fr" => Some(Self::French),
            "es" => Some(Self::Spanish),
            "nl" => Some(Self::Dutch),
            "it" => Some(Self::Italian),
            "pt" => Some(Self::Portuguese),
            _ => None,
        }
    }

    /// Whether verbs tell who speaks, so that the absence of pronouns says nothing.
    pub(super) fn drops_pronouns(self) -> bool {
        matches!(self, Self::Spanish | Self::Italian | Self::Portuguese)
    }

    /// Words by which a company speaks of itself in the first person plural.
    fn we(self) -> &'static [&'static str] {
        match self {
            Self::English => &["we", "we're", "we've", "we'll", "we'd", "our", "ours", "us"],
            Self::German => &[
                "wir", "uns", "unser", "unsere", "unserem", "unseren", "unserer", "unseres",
            ],
            Self::French => &["nous", "notre", "nos"],
            Self::Spanish => &[
                "nosotros", "nosotras", "nuestro", "nuestra", "nuestros", "nuestras", "somos",
            ],
            Self::Dutch => &["we", "wij", "ons", "onze"],
            Self::Italian => &["noi", "nostro", "nostra", "nostri", "nostre"],
            Self::Portuguese => &[
                "nós", "nosso", "nossa", "nossos", "nossas", "conosco", "connosco", "somos",
            ],
        }
    }

    /// Whether a word is a verb in the first person plural, in a language whose verbs say it. Nouns
    /// that end so are few.
    fn is_plural_verb(self, word: &str) -> bool {
        let ends = |endings: &[&str]| {
            word.chars().count() >= 5 && endings.iter().any(|ending| word.ends_with(ending))
        };
        match self {
            Self::Spanish | Self::Portuguese => {
                ends(&["amos", "emos"])
                    && !["gramos", "tramos", "ramos", "tremos", "premos"]
                        .iter()
                        .any(|noun| word.ends_with(noun))
            }
            Self::Italian => ends(&["iamo"]) && !word.ends_with("chiamo"),
            Self::English | Self::German | Self::French | Self::Dutch => false,
        }
    }

    /// Whether by this word a company speaks of itself in the first person plural.
    pub(super) fn says_we(self, word: &str) -> bool {
        self.we().contains(&word) || self.is_plural_verb(word)
    }

    /// Words of the first person singular.
    pub(super) fn i(self) -> &'static [&'static str] {
        match self {
            Self::English => &["i", "i'm", "i've", "i'll", "i'd", "my", "mine", "me"],
            Self::German => &[
                "ich", "mich", "mir", "mein", "meine", "meinem", "meinen", "meiner",
            ],
            Self::French => &["je", "j'ai", "mon", "ma", "mes", "moi"],
            Self::Spanish => &["yo", "mi", "mis", "mío", "soy"],
            Self::Dutch => &["ik", "mij", "mijn"],
            // "Sono" is "they are" as well.
            Self::Italian => &["io", "mio", "mia", "miei", "mie"],
            Self::Portuguese => &["eu", "meu", "minha", "meus", "minhas", "sou"],
        }
    }

    /// Words that address the reader as a friend.
    pub(super) fn familiar(self) -> &'static [&'static str] {
        match self {
            Self::English => &[
                "hey", "hi", "awesome", "cool", "yeah", "folks", "stuff", "gonna", "wanna",
                "super", "fun", "love", "oops", "yep",
            ],
            Self::German => &[
                "du", "dich", "dir", "dein", "deine", "deinem", "deinen", "deiner", "deines",
                "euch", "euer", "eure", "euren",
            ],
            Self::French => &["tu", "toi", "ton", "ta", "tes"],
            Self::Spanish => &[
                "tú", "tu", "tus", "ti", "contigo", "vosotros", "vuestro", "vuestra",
            ],
            Self::Dutch => &["je", "jij", "jou", "jouw", "jullie"],
            Self::Italian => &["tu", "tuo", "tua", "tuoi", "tue"],
            Self::Portuguese => &["tu", "teu", "tua", "teus", "tuas"],
        }
    }

    /// Words of distance. German's "Sie" differs from "sie" by its capital alone, so these are
    /// compared as written.
    pub(super) fn distant(self) -> &'static [&'static str] {
        match self {
            Self::English => &[
                "hereby",
                "pursuant",
                "therefore",
                "furthermore",
                "moreover",
                "accordingly",
                "shall",
                "thus",
                "hence",
                "whereas",
                "thereof",
                "notwithstanding",
                "consequently",
            ],
            Self::German => &[
                "Sie", "Ihnen", "Ihr", "Ihre", "Ihrem", "Ihren", "Ihrer", "Ihres",
            ],
            Self::French => &["vous", "votre", "vos", "Vous", "Votre", "Vos"],
            Self::Spanish => &["usted", "ustedes", "Usted", "Ustedes", "Ud.", "Uds."],
            Self::Dutch => &["u", "uw", "U", "Uw"],
            // "Voi" is said to companies, "Lei" to one person.
            Self::Italian => &[
                "Lei", "voi", "vostro", "vostra", "vostri", "vostre", "Voi", "Vostro", "Vostra",
            ],
            // Brazil's "você" is neither.
            Self::Portuguese => &["senhor", "senhora", "senhores"],
        }
    }

    /// Small words that stay small in a heading with capitals.
    pub(super) fn is_small_word(self, word: &str) -> bool {
        match self {
            Self::English => matches!(
                word,
                "a" | "an"
                    | "and"
                    | "as"
                    | "at"
                    | "but"
                    | "by"
                    | "for"
                    | "from"
                    | "in"
                    | "into"
                    | "is"
                    | "nor"
                    | "of"
                    | "on"
                    | "or"
                    | "over"
                    | "per"
                    | "the"
                    | "to"
                    | "via"
                    | "vs"
                    | "with"
                    | "your"
                    | "our"
            ),
            Self::French => matches!(
                word,
                "à" | "au"
                    | "aux"
                    | "avec"
                    | "d"
                    | "de"
                    | "des"
                    | "du"
                    | "en"
                    | "et"
                    | "l"
                    | "la"
                    | "le"
                    | "les"
                    | "ou"
                    | "par"
                    | "pour"
                    | "sur"
                    | "un"
                    | "une"
                    | "vos"
                    | "votre"
            ),
            Self::Spanish => matches!(
                word,
                "a" | "al"
                    | "con"
                    | "de"
                    | "del"
                    | "el"
                    | "en"
                    | "la"
                    | "las"
                    | "los"
                    | "o"
                    | "para"
                    | "por"
                    | "su"
                    | "sus"
                    | "tu"
                    | "un"
                    | "una"
                    | "y"
            ),
            Self::Dutch => matches!(
                word,
                "aan"
                    | "bij"
                    | "de"
                    | "door"
                    | "een"
                    | "en"
                    | "het"
                    | "in"
                    | "met"
                    | "of"
                    | "om"
                    | "op"
                    | "te"
                    | "tot"
                    | "uit"
                    | "van"
                    | "voor"
            ),
            Self::Italian => matches!(
                word,
                "a" | "ai"
                    | "al"
                    | "alla"
                    | "che"
                    | "con"
                    | "da"
                    | "dal"
                    | "dei"
                    | "del"
                    | "della"
                    | "delle"
                    | "di"
                    | "e"
                    | "gli"
                    | "i"
                    | "il"
                    | "in"
                    | "la"
                    | "le"
                    | "lo"
                    | "nel"
                    | "per"
                    | "su"
                    | "un"
                    | "una"
            ),
            Self::Portuguese => matches!(
                word,
                "a" | "ao"
                    | "as"
                    | "com"
                    | "da"
                    | "das"
                    | "de"
                    | "do"
                    | "dos"
                    | "e"
                    | "em"
                    | "na"
                    | "no"
                    | "o"
                    | "os"
                    | "ou"
                    | "para"
                    | "por"
                    | "um"
                    | "uma"
            ),
            Self::German => false,
        }
    }
}

/// Beginnings of words that Britain and America spell in two ways, whatever they mean.
pub(super) const SPELLINGS: [(&str, &str); 35] = [
    ("colour", "color"),
    ("favour", "favor"),
    ("behaviour", "behavior"),
    ("neighbour", "neighbor"),
    ("labour", "labor"),
    ("honour", "honor"),
    ("flavour", "flavor"),
    ("harbour", "harbor"),
    ("centre", "center"),
    ("theatre", "theater"),
    ("fibre", "fiber"),
    ("defence", "defense"),
    ("aluminium", "aluminum"),
    ("jewellery", "jewelry"),
    ("travelling", "traveling"),
    ("modelling", "modeling"),
    ("cancelled", "canceled"),
    ("catalogue", "catalog"),
    ("grey", "gray"),
    ("odour", "odor"),
    ("vapour", "vapor"),
    ("endeavour", "endeavor"),
    ("armour", "armor"),
    ("humour", "humor"),
    ("labelled", "labeled"),
    ("labelling", "labeling"),
    ("levelling", "leveling"),
    ("signalling", "signaling"),
    ("fuelled", "fueled"),
    ("jeweller", "jeweler"),
    ("woollen", "woolen"),
    ("sceptic", "skeptic"),
    ("fulfilment", "fulfillment"),
    ("instalment", "installment"),
    ("paralyse", "paralyze"),
];

/// Beginnings of words in `-ise` that America does not write so. The forms in `-ize` say nothing:
/// Oxford writes them too.
pub(super) const BRITISH_ISE: [&str; 16] = [
    "organise",
    "organisation",
    "organising",
    "optimise",
    "optimising",
    "customise",
    "recognise",
    "realise",
    "specialise",
    "analyse",
    "analysing",
    "prioritise",
    "maximise",
    "minimise",
    "digitise",
    "modernise",
];
