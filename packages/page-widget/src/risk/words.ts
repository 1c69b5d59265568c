/**
 * Words on a control that stand for something which cannot be taken back, in the languages that
 * most pages use. A word that is missing here is unknown, and what is unknown asks too.
 */
const consequential = [
  "buy|purchase|order|checkout|pay|donate|subscribe|unsubscribe|book|reserve|rent|bid|invest|transfer|withdraw|deposit|refund",
  "delete|remove account|erase|destroy|wipe|discard|deactivate|close account|cancel (?:order|subscription|booking|account|plan)",
  "send|submit|post|publish|share|reply|comment|tweet|invite|apply|sign|confirm|accept|agree|approve|authori[sz]e|allow|grant",
  "save|update|upload|download|export|install|enable|disable|sign ?(?:in|out|up)|log ?(?:in|out)|register|call|print|vote",
  "kaufen|bestellen|bezahlen|zahlen|buchen|löschen|entfernen|senden|absenden|abschicken|veröffentlichen|kündigen|bestätigen|zustimmen|herunterladen|abmelden|anmelden|speichern|überweisen",
  "acheter|commander|payer|réserver|supprimer|effacer|envoyer|publier|confirmer|valider|accepter|télécharger|déconnexion|connexion|enregistrer",
  "comprar|pagar|pedir|reservar|eliminar|borrar|enviar|publicar|confirmar|aceptar|descargar|cerrar sesión|iniciar sesión|guardar|excluir|apagar|baixar",
  "acquista|ordina|paga|prenota|elimina|cancella|invia|pubblica|conferma|accetta|scarica|salva|kopen|bestel|betaal|verwijder|verzend|bevestig|opslaan",
  "köp|betala|skicka|radera|bekräfta|kup|zapłać|usuń|wyślij|potwierdź",
].join("|");
const otherScripts =
  /купить|оплатить|удалить|отправить|заказать|подтвердить|скачать|購入|注文|支払|削除|送信|投稿|購買|购买|付款|删除|刪除|发送|發送|提交|下单|確認|确认|구매|결제|삭제|전송|주문|שלח|מחק|קנה|שלם|אישור|הזמן|شراء|دفع|حذف|إرسال|تأكيد|اطلب/iu;
const consequentialWords = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${consequential})(?![\\p{L}\\p{N}])`,
  "iu",
);

/** Controls that only change what the page shows, or that the visitor can set back at once. */
const harmlessWords =
  /^(?:add to (?:cart|basket|bag|wishlist|favou?rites|list)|in den (?:waren)?korb|ajouter au panier|añadir al carrito|show|hide|view|see|open|close|expand|collapse|toggle|more|less|details|next|previous|prev|back|forward|continue reading|load more|read more|search|find|filter|sort|clear|reset filters?|apply filters?|zoom|play|pause|mute|menu|cart|basket|increase|decrease|add one|remove one|plus|minus|quantity|select|choose|copy|cancel|dismiss|not now|skip|theme|dark mode|light mode|language|tab|suchen?|weiter|zurück|anzeigen|schließen|abbrechen|rechercher|suivant|précédent|fermer|annuler|buscar|siguiente|anterior|cerrar|cancelar|\+|-|−|×|›|‹|»|«)(?![\p{L}])/iu;

export function isConsequential(words: string): boolean {
  return consequentialWords.test(words) || otherScripts.test(words);
}

export function isHarmless(words: string): boolean {
  return harmlessWords.test(words.trim()) && !isConsequential(words);
}
