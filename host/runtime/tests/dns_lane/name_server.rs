//! A DNS server that answers as a test tells it to. It encodes the bytes itself, so it shares no code with
//! the resolver under test. Every answer has a time to live of zero.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex};

use tokio::net::UdpSocket;

const A: u16 = 1;
const CNAME: u16 = 5;
const AAAA: u16 = 28;

#[derive(Clone)]
enum Answer {
    Addresses(Vec<IpAddr>),
    /// Each question for an A record gets the next one; the last one repeats.
    InTurn(Vec<Ipv4Addr>),
    /// An alias for another name, with or without that name's addresses.
    Alias(String, bool),
    /// No answer, for the name and all names below it.
    Silence,
}

/// What a server knows. Any other name does not exist.
#[derive(Clone, Default)]
pub struct Zone(BTreeMap<String, Answer>);

impl Zone {
    pub fn new() -> Self {
        Self::default()
    }
    fn with(mut self, name: &str, answer: Answer) -> Self {
        self.0.insert(name.to_owned(), answer);
        self
    }
    fn addresses(mut self, name: &str, texts: &[&str]) -> Self {
        let more = texts.iter().map(|text| text.parse::<IpAddr>().unwrap());
        let entry = self.0.entry(name.to_owned());
        match entry.or_insert_with(|| Answer::Addresses(Vec::new())) {
            Answer::Addresses(known) => known.extend(more),
            _ => panic!("{name} answers otherwise"),
        }
        self
    }
    pub fn a(self, name: &str, texts: &[&str]) -> Self {
        self.addresses(name, texts)
    }
    pub fn aaaa(self, name: &str, texts: &[&str]) -> Self {
        self.addresses(name, texts)
    }
    pub fn in_turn(self, name: &str, texts: &[&str]) -> Self {
        let addresses = texts.iter().map(|text| text.parse().unwrap()).collect();
        self.with(name, Answer::InTurn(addresses))
    }
    pub fn alias(self, name: &str, to: &str, resolved: bool) -> Self {
        self.with(name, Answer::Alias(to.to_owned(), resolved))
    }
    pub fn silent(self, name: &str) -> Self {
        self.with(name, Answer::Silence)
    }
    fn find(&self, name: &str) -> Option<&Answer> {
        self.0.get(name).or_else(|| {
            let (_, parent) = name.split_once('.')?;
            self.0
                .get(parent)
                .filter(|answer| matches!(answer, Answer::Silence))
        })
    }
}

/// A running server.
pub struct NameServer(Arc<Mutex<Vec<(String, u16)>>>);

impl NameServer {
    pub async fn start(address: &str, zone: Zone) -> Self {
        let socket = UdpSocket::bind(address).await.unwrap();
        let asked: Arc<Mutex<Vec<(String, u16)>>> = Arc::default();
        let memory = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut packet = [0; 1500];
            while let Ok((length, from)) = socket.recv_from(&mut packet).await {
                let Some(question) = Question::read(&packet[..length]) else {
                    continue;
                };
                let nth = {
                    let mut asked = memory.lock().unwrap();
                    asked.push((question.name.clone(), question.kind));
                    let same = |(name, kind): &&(String, u16)| {
                        *name == question.name && *kind == question.kind
                    };
                    asked.iter().filter(same).count()
                };
                if let Some(answer) = question.answer(&zone, nth) {
                    let _ = socket.send_to(&answer, from).await;
                }
            }
        });
        Self(asked)
    }

    /// How many different names at or below this one were looked up.
    pub fn questions(&self, name: &str) -> usize {
        let asked = self.0.lock().unwrap();
        let names: std::collections::BTreeSet<&str> = asked
            .iter()
            .map(|(asked, _)| asked.as_str())
            .filter(|asked| *asked == name || asked.ends_with(&format!(".{name}")))
            .collect();
        names.len()
    }
}

struct Question<'p> {
    packet: &'p [u8],
    /// Where the question ends.
    end: usize,
    name: String,
    kind: u16,
}

impl<'p> Question<'p> {
    fn read(packet: &'p [u8]) -> Option<Self> {
        let (mut at, mut labels) = (12, Vec::new());
        loop {
            let length = usize::from(*packet.get(at)?);
            at += 1;
            if length == 0 {
                break;
            }
            let label = packet.get(at..at + length)?;
            labels.push(String::from_utf8_lossy(label).to_ascii_lowercase());
            at += length;
        }
        let kind = u16::from_be_bytes([*packet.get(at)?, *packet.get(at + 1)?]);
        Some(Self {
            packet,
            end: at + 4,
            name: labels.join("."),
            kind,
        })
    }

    fn answer(&self, zone: &Zone, nth: usize) -> Option<Vec<u8>> {
        let (found, records) = match zone.find(&self.name) {
            Some(Answer::Silence) => return None,
            None => (false, Vec::new()),
            Some(Answer::Addresses(addresses)) => (true, self.records(&self.name, addresses)),
            Some(Answer::InTurn(addresses)) => {
                let address = addresses[(nth - 1).min(addresses.len() - 1)];
                (true, self.records(&self.name, &[address.into()]))
            }
            Some(Answer::Alias(to, resolved)) => {
                let mut records = vec![record(&self.name, CNAME, &wire_name(to))];
                if let (Some(Answer::Addresses(addresses)), true) = (zone.find(to), *resolved) {
                    records.extend(self.records(to, addresses));
                }
                (true, records)
            }
        };
        let mut out = self.packet[..2].to_vec();
        // Flags of an answer, with recursion available; the name exists or does not.
        out.extend([0x81, if found { 0x80 } else { 0x83 }]);
        for count in [1, u16::try_from(records.len()).unwrap(), 0, 0] {
            out.extend(count.to_be_bytes());
        }
        out.extend(&self.packet[12..self.end]);
        out.extend(records.concat());
        Some(out)
    }

    /// Records of the requested type.
    fn records(&self, name: &str, addresses: &[IpAddr]) -> Vec<Vec<u8>> {
        addresses
            .iter()
            .filter_map(|address| match (address, self.kind) {
                (IpAddr::V4(v4), A) => Some(record(name, A, &v4.octets())),
                (IpAddr::V6(v6), AAAA) => Some(record(name, AAAA, &Ipv6Addr::octets(v6))),
                _ => None,
            })
            .collect()
    }
}

fn wire_name(name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for label in name.split('.') {
        out.push(u8::try_from(label.len()).unwrap());
        out.extend(label.as_bytes());
    }
    out.push(0);
    out
}

fn record(name: &str, kind: u16, data: &[u8]) -> Vec<u8> {
    let mut out = wire_name(name);
    out.extend(kind.to_be_bytes());
    out.extend([0, 1]);
    out.extend([0; 4]);
    out.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
    out.extend(data);
    out
}
