// Builds what is older than its sources: the page, the program that parses documents, and the
// `bron` command.
import "./build-web.mjs";
import "./build-page-widget.mjs";
import "./build-parser.mjs";
import "./build-program.mjs";
