/** What Google's server writes into mail whose sender it could verify. */
export function authenticationResults(sender: string): string {
  const domain = sender.slice(sender.lastIndexOf("@") + 1).toLowerCase();
  return `mx.google.example; dkim=pass header.i=@${domain}; spf=pass smtp.mailfrom=${sender}; dmarc=pass (p=REJECT) header.from=${domain}`;
}
