export type Language = "en" | "de" | "fr" | "pl";

export interface Person {
  readonly name: string;
  readonly address: string;
  readonly language: Language;
  readonly firm: string;
}

const own = (name: string, local: string): Person => ({
  name,
  address: `${local}@lindqvist.example`,
  language: "en",
  firm: "Lindqvist Cargo",
});

/** A small maker of cargo bikes. */
export const mara = own("Mara Lindqvist", "mara");
export const jonas = own("Jonas Keller", "jonas");
export const priya = own("Priya Raman", "priya");
export const tomasz = own("Tomasz Wójcik", "tomasz");
export const camille = own("Camille Laurent", "camille");
export const ben = own("Ben Achterberg", "ben");
export const lea = own("Lea Vogt", "lea");
export const oskar = own("Oskar Nyström", "oskar");
export const dana = own("Dana Sokolova", "dana");
export const felix = own("Felix Baum", "felix");

export const customers: readonly Person[] = [
  {
    name: "Anna Schröder",
    address: "a.schroeder@velo-nord.example",
    language: "de",
    firm: "Velo Nord GmbH",
  },
  {
    name: "Claire Dubois",
    address: "claire.dubois@cyclo-lyon.example",
    language: "fr",
    firm: "Cyclo Lyon SARL",
  },
  {
    name: "Peter Hughes",
    address: "peter@harbour-couriers.example",
    language: "en",
    firm: "Harbour Couriers Ltd",
  },
  {
    name: "Agnieszka Zielińska",
    address: "a.zielinska@rowery-krakow.example",
    language: "pl",
    firm: "Rowery Kraków",
  },
  {
    name: "Martin Hofmann",
    address: "hofmann@stadtwerke-ulm.example",
    language: "de",
    firm: "Stadtwerke Ulm",
  },
];

export const suppliers: readonly Person[] = [
  {
    name: "Eva Brandt",
    address: "eva@brandt-metall.example",
    language: "de",
    firm: "Brandt Metall GmbH",
  },
  {
    name: "Luc Moreau",
    address: "luc.moreau@pneus-garonne.example",
    language: "fr",
    firm: "Pneus Garonne SA",
  },
  {
    name: "Rachel Stone",
    address: "accounts@northwind-parts.example",
    language: "en",
    firm: "Northwind Parts Ltd",
  },
  {
    name: "Marek Nowak",
    address: "faktury@sruba-hurt.example",
    language: "pl",
    firm: "Śruba Hurt",
  },
  {
    name: "Huber Lackiererei",
    address: "buero@lackiererei-huber.example",
    language: "de",
    firm: "Lackiererei Huber",
  },
];

export const payrollOffice: Person = {
  name: "Lohnbüro Steiner",
  address: "lohn@steiner-kanzlei.example",
  language: "de",
  firm: "Kanzlei Steiner",
};
export const photographer: Person = {
  name: "Ingrid Fjell",
  address: "ingrid@studio-fjell.example",
  language: "en",
  firm: "Studio Fjell",
};

/** The accounts with a mailbox. The owner comes first. */
export const companyAccounts: readonly Person[] = [mara, jonas, priya];
