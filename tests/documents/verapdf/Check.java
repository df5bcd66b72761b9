// Checks PDF files with veraPDF's own parser and profiles: PDF/UA-1, and the part of PDF/A that the file declares.
//
// Arguments are files. Each broken rule is a line on standard output: file, profile, rule and description, separated
// by tabs. A file that keeps a profile has a line for it whose last field is `ok`.
import java.io.FileInputStream;
import java.util.Set;
import java.util.TreeMap;
import org.verapdf.gf.foundry.VeraGreenfieldFoundryProvider;
import org.verapdf.pdfa.Foundries;
import org.verapdf.pdfa.PDFAParser;
import org.verapdf.pdfa.PDFAValidator;
import org.verapdf.pdfa.flavours.PDFAFlavour;
import org.verapdf.pdfa.results.TestAssertion;
import org.verapdf.pdfa.results.ValidationResult;

public class Check {
    /** Level A of part 2 or newer; part 4 has no level A, because it leaves structure to PDF/UA. */
    private static final Set<String> ARCHIVAL = Set.of("2a", "3a", "4", "4f", "4e");

    public static void main(String[] files) {
        java.util.logging.LogManager.getLogManager().reset();
        VeraGreenfieldFoundryProvider.initialise();
        for (String file : files) {
            check(file, PDFAFlavour.PDFUA_1);
            PDFAFlavour declared = declared(file);
            if (ARCHIVAL.contains(declared.getId())) {
                check(file, declared);
            } else {
                say(file, "pdf/a", "declares no PDF/A of level A, but " + declared.getId());
            }
        }
    }

    private static PDFAFlavour declared(String file) {
        try (FileInputStream stream = new FileInputStream(file);
                PDFAParser parser = Foundries.defaultInstance().createParser(stream)) {
            // A file may declare PDF/A and PDF/UA; only the first is looked for here.
            for (PDFAFlavour flavour : parser.getFlavours()) {
                if (ARCHIVAL.contains(flavour.getId())) {
                    return flavour;
                }
            }
            return parser.getFlavour();
        } catch (Exception | LinkageError error) {
            return PDFAFlavour.NO_FLAVOUR;
        }
    }

    private static void check(String file, PDFAFlavour flavour) {
        String profile = flavour.getId();
        try (FileInputStream stream = new FileInputStream(file);
                PDFAParser parser = Foundries.defaultInstance().createParser(stream, flavour);
                PDFAValidator validator = Foundries.defaultInstance().createValidator(flavour, false)) {
            ValidationResult result = validator.validate(parser);
            TreeMap<String, String> broken = new TreeMap<>();
            for (TestAssertion assertion : result.getTestAssertions()) {
                if (assertion.getStatus() == TestAssertion.Status.FAILED) {
                    String rule = assertion.getRuleId().getClause() + "-" + assertion.getRuleId().getTestNumber();
                    broken.putIfAbsent(rule, assertion.getMessage());
                }
            }
            if (result.isCompliant()) {
                say(file, profile, "ok");
            } else if (broken.isEmpty()) {
                say(file, profile, "not compliant, without a rule that says why");
            }
            broken.forEach((rule, why) -> say(file, profile, rule + " " + why));
        } catch (Exception | LinkageError error) {
            say(file, profile, "cannot be read: " + error);
        }
    }

    private static void say(String file, String profile, String what) {
        System.out.println(file + "\t" + profile + "\t" + what.replaceAll("\\s+", " "));
    }
}
