// Builds what is older than its sources: the page, and the program that parses documents.
import "./build-web.mjs";
import "./build-parser.mjs";
