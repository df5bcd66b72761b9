//! Realistic briefs in several languages.

/// The sample of the quickstart.
pub fn sample() -> String {
    std::fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../samples/document-brief.md"
    ))
    .unwrap()
}

pub const GERMAN: &str = "\
# Ablesung ohne Rundgang

Erstelle bitte ein Angebot für die Technikleitung. Halte den Text sachlich und kurz.

Zielgruppe: Technikleitung
Ton: sachlich

Die Temperaturen der Kühlhäuser werden heute einmal je Schicht von Hand übertragen. Eine Brücke zwischen Sensornetz und \
Instandhaltung überträgt jede Messung sofort.

## Ausgangslage

- Jede Übertragung dauert rund 40 Minuten.
- Fehler fallen erst bei der nächsten Prüfung auf.

## Entwicklung der Alarme

| Quartal | Alarme |
|---|---|
| Q1 2026 | 412 |
| Q2 2026 | 398 |
| Q3 2026 | 441 |
| Q4 2026 | 369 |

## Preise

| Leistung | Preis |
|---|---|
| Einrichtung je Standort | 6.500 € |
| Betrieb je Standort und Monat | 490 € |

## Nächste Schritte

1. **Begehung**: eine Stunde im Leitstand.
2. **Testbetrieb**: zwei Wochen neben der bisherigen Liste.
";

pub const FRENCH: &str = "\
# Relevés sans tournée

Rédigez une présentation pour la direction technique. Restez bref.

Aujourd'hui, les températures sont recopiées à la main une fois par équipe. Une passerelle transmet chaque mesure sans délai \
au système de maintenance, sans toucher aux capteurs.

## Le constat

Les relevés arrivent trop tard. Chaque copie prend environ 40 minutes par équipe, et une erreur de copie ne se voit qu'au \
prochain audit.

## Répartition du temps

| Poste | Part |
|---|---|
| Copie | 55 % |
| Vérification | 30 % |
| Correction | 15 % |

## Ce que dit la maintenance

> Nous ne voulons pas plus d'alarmes, mais la bonne, à temps.
> — Responsable maintenance

## Prochaines étapes

1. Visite d'une heure sur site
2. Essai de deux semaines en lecture seule
";

pub const JAPANESE: &str = "\
# 巡回のいらない温度記録

御社の技術部長向けの提案書を作成してください。文体は敬体でお願いします。

現在、冷蔵庫の温度は一交替に一度、手作業で保全システムに転記されています。センサー網と保全システムをつなぐ中継装置により、すべての測定値がすぐに届きます。

## 現状の課題

- 転記には一回につき約40分かかっています。
- 誤りは次の監査まで見つかりません。

## 拠点別の転記時間

| 拠点 | 時間 |
|---|---|
| 札幌 | 64 |
| 仙台 | 58 |
| 福岡 | 71 |

## 次のステップ

1. 現地確認（1時間）
2. 二週間の試験運用
";

pub const ARABIC: &str = "\
# قراءات بلا جولات

اكتب عرضا تقديميا لمدير الهندسة. الجمهور المستهدف: مدير الهندسة.

تنقل درجات حرارة المخازن المبردة اليوم يدويا مرة واحدة في كل وردية. يربط الجسر بين شبكة أجهزة الاستشعار ونظام الصيانة وينقل كل قراءة فورا.

## الوضع الحالي

- تستغرق كل عملية نقل حوالي 40 دقيقة.
- لا تظهر الأخطاء إلا عند المراجعة التالية.

## الخطوات التالية

1. زيارة ميدانية لمدة ساعة
2. تجربة لمدة أسبوعين
";
