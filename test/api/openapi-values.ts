/** Values that a declaration alone does not tell. */
export const RULED: Readonly<Record<string, object>> = {
  dialogcomment: { block: 'a', text: 'Exemplo' },
  handlercomment: { block: 'a', text: 'Exemplo' },
  tinyurlmapping: { original_url: 'https://example.com/' },
  report: { type: 'dashboard', metabaseid: 1 },
  metaapp: { app_id: '1' },
  metaaccount: { waba_id: '1' },
  template: { templateName: 'exemplo', body: 'Oi, tudo bem?' },
  campaign: { name: 'exemplo' },
  user: { username: 'exemplo', password: 'Exemplo-2026!' },
}
