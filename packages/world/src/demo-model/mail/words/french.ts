import type { MailWords } from "./mail-words-shape.ts";

export const frenchWords: MailWords = {
  doing: {
    search: "chercher dans vos mails",
    message: "lire le mail",
    thread: "lire la conversation",
    attachment: "récupérer la pièce jointe",
    document: "lire le document",
    fields: "faire vérifier les champs",
    draft: "écrire le brouillon",
    sendDraft: "envoyer le brouillon",
    send: "envoyer le mail",
    reply: "envoyer la réponse",
  },
  colon: " :",
  fieldNames: {
    "Invoice Number": "Numéro de facture",
    "Order Number": "Numéro de commande",
    "Quote Number": "Numéro de devis",
    "Delivery Note Number": "Numéro du bon de livraison",
    "Contract Number": "Numéro de contrat",
    "Customer Number": "Numéro de client",
    Reference: "Référence",
    "Invoice Date": "Date de facture",
    "Order Date": "Date de commande",
    "Due Date": "Échéance",
    "Delivery Date": "Date de livraison",
    "Valid Until": "Valable jusqu'au",
    Total: "Total",
    "Net Amount": "Montant HT",
    Tax: "TVA",
    Shipping: "Frais de port",
    Discount: "Remise",
    Currency: "Devise",
    "VAT ID": "N° TVA",
    Vendor: "Émetteur",
    Customer: "Client",
    "Payment Terms": "Conditions de paiement",
    Period: "Période",
    Project: "Projet",
    Columns: "Colonnes",
    Rows: "Lignes",
  },
  next: (what, detail) => `Ensuite : ${what}${detail === "" ? "" : ` (${detail})`}.`,
  finished: "Il n'y a plus rien à appeler ; je rapporte ce qui est revenu.",
  found: (count, query) =>
    `J'ai cherché ${query} dans vos mails et trouvé ${count === 1 ? "un mail" : `${count} mails`}.`,
  nothingFound: (queries) =>
    `Je n'ai trouvé aucun mail de ce genre. J'ai cherché : ${queries.join(" ; ")}.`,
  loosened: (query) =>
    `Rien ne correspondait exactement, j'ai donc cherché plus largement : ${query}.`,
  readMail: (subject, from, day) => `J'ai lu « ${subject} » de ${from}, ${day}.`,
  noAttachment: (subject) =>
    `« ${subject} » n'a pas de pièce jointe que je puisse lire ; j'ai pris le texte du mail.`,
  readFile: (filename) => `J'ai lu ${filename}.`,
  fieldsOf: (source) => `Ce que dit ${source} :`,
  noFields: (source) => `Je n'ai trouvé aucun champ dans ${source} et n'ai donc rien écrit.`,
  notInDocument: (keys) => `Introuvable dedans : ${keys}.`,
  cut: (source) =>
    `${source} était plus long que ce que j'ai pu lire ; il peut contenir autre chose.`,
  drafted: (subject, to, draftId) =>
    `Le brouillon « ${subject} » pour ${to} est écrit (brouillon ${draftId}). Il n'est pas envoyé.`,
  sent: (subject, to, messageId, sentAt) =>
    `J'ai envoyé « ${subject} » à ${to} : message ${messageId}, envoyé le ${sentAt}.`,
  replied: (to, messageId, sentAt) =>
    `J'ai répondu à ${to} : message ${messageId}, envoyé le ${sentAt}.`,
  failed: (what, message) => `Je n'ai pas pu ${what} : ${message}`,
  denied: (what, message) => `Cela n'a pas été autorisé, je ne l'ai pas fait : ${what}. ${message}`,
  unknown: (what, message) =>
    `J'ai essayé de faire ceci, sans que l'on sache si c'est fait : ${what}. ${message} Vérifiez avant de recommencer.`,
  notReached: (what) => `Je n'y suis pas arrivé : ${what}.`,
  onlyMail: (others) =>
    `Je n'ai fait que ce qui concerne les mails, pas ceci : ${others}. Demandez-le à part.`,
  noTool: (what, name) => `Je ne peux pas ${what} : je n'ai pas d'outil pour cela (${name}).`,
  whichAddress:
    "À quelle adresse faut-il l'envoyer ? Je ne prends les adresses que dans vos mots, et il n'y en avait pas.",
  whatText:
    "Que doit dire le mail ? Je n'écris que ce que vous me dites ou ce que je trouve dans vos mails.",
  noDraft: "Je ne connais pas de brouillon dont vous pourriez parler.",
  condition:
    "cela dépend de quelque chose qui n'est pas encore arrivé, et je ne peux agir que maintenant",
  wrote: (from, day, subject) => `${from} a écrit le ${day} (« ${subject} ») :`,
  counted: (count, hasMore, query) =>
    `Il y a ${hasMore ? "plus de " : ""}${count} ${count > 1 ? "mails" : "mail"} pour ${query}.`,
  line: (day, from, subject) => `- ${day}, ${from} : ${subject}`,
  emptyMail: "Le mail n'a pas de texte.",
  summarySubject: (subject) => `Résumé : ${subject}`,
  bodyStart: (source, subject, from, day) =>
    `Bonjour,\n\nvoici le résumé de ${source} (« ${subject} » de ${from}, ${day}) :`,
  bodyEnd: "Cordialement",
};
