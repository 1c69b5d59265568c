interface RecallQuestion {
  readonly language: "en" | "de" | "es";
  readonly question: string;
  readonly fact: string;
}

/**
 * A fact, and a question for it in the words that a person would use. The question and the fact
 * share a topic, seldom a form of a word. Some questions are in another language than their fact's
 * neighbors, never than the fact.
 */
const asked: Readonly<Record<RecallQuestion["language"], readonly (readonly [string, string])[]>> =
  {
    en: [
      ["The user prefers short emails without greetings.", "How long should an email be?"],
      ["Priya signs the supplier invoices.", "Who signs invoices from suppliers?"],
      ["The user is allergic to peanuts.", "Does the user have any allergies?"],
      ["The workshop closes at 4 pm on Fridays.", "When does the workshop close on a Friday?"],
      ["Jonas drives the delivery van.", "Who is the driver of the van?"],
      ["The user's daughter is called Mila.", "What's the name of my daughter?"],
      ["The landlord is Mr. Petersen.", "Who is our landlord?"],
      ["The user drinks coffee without milk.", "How do I take my coffee?"],
      ["Team meetings are on Tuesdays at ten.", "On which day are the team meetings?"],
      ["The accountant's office is in Lübeck.", "Where does the accountant work?"],
      [
        "The user flies with Lufthansa and wants an aisle seat.",
        "Which seat do I want on flights?",
      ],
      ["The alarm code is kept in the safe.", "Where is the code for the alarm?"],
      ["Velo Nord gets a discount of 12 percent.", "What discount does Velo Nord have?"],
      ["The user doesn't eat meat.", "Do I eat meat?"],
      ["Rachel Stone works for Northwind Parts.", "Which company does Rachel work for?"],
      ["The office printer needs A3 paper.", "What paper does the printer take?"],
      ["The user's birthday is on the third of May.", "When is my birthday?"],
      ["Hotel bookings go through Kestrel Travel.", "Who books hotels for us?"],
      ["The car insurance ends in October.", "When does the insurance of the car end?"],
      ["The user runs every Sunday morning.", "When do I go running on Sundays?"],
      ["Henrik approves budgets above 5,000 euros.", "Who approves a large budget?"],
      ["The user's dentist is Dr. Novak.", "Who is my dentist?"],
      ["Brakes are ordered from Hansen only.", "Where do we order brakes?"],
      ["The newsletter goes out on the first of the month.", "When is the newsletter sent out?"],
      ["The user signs letters with 'Mara'.", "How should letters be signed?"],
      ["The spare key is with the neighbor Ilse.", "Who has the spare key?"],
      ["The website is hosted by Nordhost.", "Who hosts our website?"],
      ["The user learned Danish at school.", "Which language did I learn at school?"],
      ["Parcels are picked up at noon.", "When are the parcels picked up?"],
      ["The tax number ends with 771.", "What does our tax number end with?"],
      ["The user's favorite restaurant is Zum Anker.", "What's my favorite restaurant?"],
      ["Interns start in September.", "When do the interns begin in September?"],
      ["Paint for frames comes from Colorit.", "Where does the frame paint come from?"],
      ["The gym membership costs 29 euros.", "How much is the membership at the gym?"],
    ],
    de: [
      ["Die Nutzerin trinkt morgens grünen Tee.", "Welchen Tee trinke ich am Morgen?"],
      ["Der Steuerberater heißt Krause.", "Wie heißt mein Steuerberater?"],
      ["Rechnungen werden am 15. bezahlt.", "Wann bezahlen wir Rechnungen?"],
      ["Der Hund heißt Bruno.", "Wie heißt der Hund?"],
      ["Das Lager ist in der Hafenstraße.", "In welcher Straße ist das Lager?"],
      ["Tobias repariert die Elektromotoren.", "Wer repariert Elektromotoren?"],
      ["Urlaub ist im August.", "Wann habe ich Urlaub?"],
      ["Die Bank ist die Sparkasse.", "Bei welcher Bank bin ich?"],
      ["Das Passwort für die Kasse kennt nur Aylin.", "Wer kennt das Passwort der Kasse?"],
      ["Sie mag keine Termine vor neun Uhr.", "Ab wann mag ich Termine?"],
      ["Die Lieferung kommt immer mittwochs.", "An welchem Tag kommt die Lieferung?"],
      ["Ihr Sohn spielt Handball.", "Welchen Sport spielt mein Sohn?"],
      ["Die Krankenkasse ist die Barmer.", "Welche Krankenkasse habe ich?"],
      ["Angebote gelten 30 Tage.", "Wie lange gelten unsere Angebote?"],
      ["Der Schlüssel liegt unter dem Blumentopf.", "Wo liegt der Schlüssel?"],
      ["Die Heizung wird im Mai gewartet.", "Wann wird die Heizung gewartet?"],
      ["Frau Yilmaz leitet den Einkauf.", "Wer leitet den Einkauf?"],
      ["Sie fährt mit dem Rad zur Arbeit.", "Womit fahre ich zur Arbeit?"],
      ["Die Messe ist in Friedrichshafen.", "Wo findet die Messe statt?"],
      ["Der Vermieter will die Miete am Ersten.", "Wann will der Vermieter die Miete?"],
      ["Ersatzteile kommen aus Dänemark.", "Woher kommen die Ersatzteile?"],
      ["Ihre Mutter wohnt in Kiel.", "Wo wohnt meine Mutter?"],
      ["Protokolle schreibt immer Lena.", "Wer schreibt das Protokoll?"],
      ["Das Firmenauto ist ein Kangoo.", "Was für ein Auto hat die Firma? Kangoo?"],
      ["Die Werbung macht die Agentur Blau.", "Welche Agentur macht unsere Werbung?"],
      ["Sie hat eine Laktoseintoleranz.", "Habe ich eine Laktoseintoleranz?"],
      ["Die Inventur ist am 30. Dezember.", "Wann ist Inventur?"],
      ["Der Elektriker heißt Voss.", "Wer ist unser Elektriker?"],
      [
        "Bestellungen über 500 Euro brauchen zwei Unterschriften.",
        "Wann braucht eine Bestellung zwei Unterschriften?",
      ],
      ["Sie hört beim Arbeiten Jazz.", "Welche Musik höre ich bei der Arbeit, Jazz?"],
      ["Das WLAN heißt Werkstatt5.", "Wie heißt das WLAN?"],
      ["Der Betriebsarzt kommt im März.", "Wann kommt der Betriebsarzt?"],
      ["Kunden bekommen eine Antwort in zwei Tagen.", "Wie schnell bekommen Kunden eine Antwort?"],
    ],
    es: [
      ["La usuaria prefiere reuniones por la mañana.", "¿Cuándo prefiero las reuniones?"],
      ["El proveedor de sillines es Comas.", "¿Quién es el proveedor de los sillines?"],
      ["Su hermano vive en Sevilla.", "¿Dónde vive mi hermano?"],
      ["El contrato de alquiler termina en junio.", "¿Cuándo termina el contrato del alquiler?"],
      ["No come marisco.", "¿Como marisco?"],
      ["La gestora se llama Carmen Ruiz.", "¿Cómo se llama la gestora?"],
      ["El taller de Valencia abre a las ocho.", "¿A qué hora abre el taller de Valencia?"],
      ["Los pedidos grandes los aprueba Diego.", "¿Quién aprueba los pedidos?"],
      ["Le gusta el té con limón.", "¿Cómo me gusta el té?"],
      ["El vuelo habitual es con Iberia.", "¿Con qué compañía vuelo? ¿Iberia?"],
      ["La contraseña la guarda Lucía.", "¿Quién guarda la contraseña?"],
      ["El gato se llama Miso.", "¿Cómo se llama el gato?"],
      ["Las nóminas se pagan el día 28.", "¿Qué día se pagan las nóminas?"],
      ["Su médico es el doctor Ortega.", "¿Quién es mi médico?"],
      ["La feria es en Zaragoza.", "¿Dónde es la feria?"],
      ["Escribe los correos sin emojis.", "¿Pongo emojis en los correos?"],
      ["El seguro del local es de Mapfre.", "¿De quién es el seguro del local?"],
      ["Aprende alemán los jueves.", "¿Qué día aprendo alemán?"],
      ["La pintura llega desde Burgos.", "¿Desde dónde llega la pintura?"],
      ["Su color favorito es el verde.", "¿Cuál es mi color favorito?"],
      ["El abogado es Marcos Peña.", "¿Quién es el abogado?"],
      ["La furgoneta está en el garaje dos.", "¿Dónde está la furgoneta?"],
      ["Las vacaciones son en septiembre.", "¿Cuándo son mis vacaciones?"],
      ["El café lo compra Tostados Sol.", "¿Quién compra el café?"],
      ["La garantía dura tres años.", "¿Cuánto dura la garantía?"],
      ["La limpieza viene los lunes.", "¿Cuándo viene la limpieza?"],
      ["La biblioteca cierra a las seis.", "¿Cuándo cierra la biblioteca?"],
      ["El pan lo trae Rosario.", "¿Quién trae el pan?"],
      ["Juega al ajedrez en línea.", "¿A qué juego en línea? ¿Ajedrez?"],
      ["La reunión de socios es anual.", "¿Cada cuánto es la reunión de socios?"],
      ["El extintor caduca en 2028.", "¿Cuándo caduca el extintor?"],
      ["La imprenta es Gráficas Luz.", "¿Qué imprenta usamos?"],
      ["Prefiere asiento de ventanilla en el tren.", "¿Qué asiento prefiero en el tren?"],
    ],
  };

export const recallQuestions: readonly RecallQuestion[] = Object.entries(asked).flatMap(
  ([language, pairs]) =>
    pairs.map(([fact, question]) => ({
      language: language as RecallQuestion["language"],
      question,
      fact,
    })),
);

/** Facts about other things, in the same words that questions use, to be told apart. */
const people = [
  "Anna",
  "Bjarne",
  "Clara",
  "Deniz",
  "Emil",
  "Farah",
  "Gustav",
  "Hanna",
  "Iker",
  "Jule",
];
const templates: readonly ((person: string, place: number) => string)[] = [
  (who, n) => `${who} works in room ${n + 100} of the office.`,
  (who, n) => `${who} prefers calls after ${(n % 8) + 9} o'clock.`,
  (who, n) => `${who} ordered ${n + 2} wheels for the spring season.`,
  (who, n) => `Das Treffen mit ${who} dauert ${n + 20} Minuten.`,
  (who, n) => `${who} fährt jeden Monat ${n + 40} Kilometer.`,
  (who, n) => `${who} hat Kundennummer ${n + 7_000}.`,
  (who, n) => `${who} paga ${n + 15} euros por el curso.`,
  (who, n) => `La dirección de ${who} es calle Mayor ${n + 1}.`,
];

const others = Array.from({ length: 400 }, (_, index) => {
  const template = templates[index % templates.length]!;
  return template(people[Math.floor(index / templates.length) % people.length]!, index);
});

/** 500 facts: those that are asked for, among 400 others. */
export const recallFacts: readonly string[] = [
  ...recallQuestions.map(({ fact }) => fact),
  ...others,
];
