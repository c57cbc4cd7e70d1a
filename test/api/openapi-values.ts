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

/** Asked by tests of their own; a contact is needed to be forgotten. */
export const PATHS_WITHOUT_ENTITY = new Set([
  'POST /auth/login',
  'POST /auth/logout',
  'POST /user/verify2fa',
  'POST /file',
  'DELETE /contact/{id}',
  'POST /campaign/{id}/contacts/preview',
  'POST /simulatednumber',
  'GET /simulatednumber/{id}',
  'POST /simulatednumber/{id}/clock',
  'POST /simulatednumber/{id}/tier',
  'GET /simulatednumber/{id}/persona/{persona}',
  'POST /simulatednumber/{id}/persona/{persona}',
  'POST /simulatednumber/{id}/contacts',
  'POST /simulatednumber/{id}/copy',
  'POST /contact/bulk',
  // Need a number that sends (campaign-test.test.ts, simulated-number.test.ts).
  'GET /campaign/{id}/testnumbers',
  'GET /simulatednumber/{id}',
  'GET /simulatednumber/{id}/persona/{persona}',
  'POST /simulatednumber',
  'POST /simulatednumber/{id}/clock',
  'POST /simulatednumber/{id}/tier',
  'POST /simulatednumber/{id}/persona/{persona}',
  'POST /simulatednumber/{id}/contacts',
  'POST /simulatednumber/{id}/copy',
  'POST /campaign/{id}/test',
  'POST /campaign/{id}/testnumbers',
  'POST /campaign/{id}/testnumbers/verify',
  'POST /campaign/{id}/testnumbers/remove',
  // Need a chat at the desk (desk.test.ts).
  'GET /desk/chat/{id}',
  'GET /desk/chat/{id}/templates',
  'POST /desk/chat/{id}/take',
  'POST /desk/chat/{id}/messages',
  'POST /desk/chat/{id}/template',
  'POST /desk/chat/{id}/note',
  'POST /desk/chat/{id}/typing',
  'POST /desk/chat/{id}/snooze',
  'POST /desk/chat/{id}/wake',
  'POST /desk/chat/{id}/transfer',
  'POST /desk/chat/{id}/assign',
  'POST /desk/chat/{id}/priority',
  'POST /desk/chat/{id}/tags',
  'POST /desk/chat/{id}/close',
])

type Ids = Readonly<Record<string, string>>

export const contactQueries = (ids: Ids): Readonly<Record<string, () => string>> => ({
  '/campaignrun': () => `?campaign=${ids.campaign}`,
  '/contact': () => `?campaign=${ids.campaign}`,
  '/contact/export': () => `?campaign=${ids.campaign}`,
  '/contact/{id}': () => `?campaign=${ids.campaign}`,
})

export const contactWrites = (ids: Ids): Readonly<Record<string, () => object>> => ({
  'POST /campaign/{id}/cancel': () => ({ confirm: 'CONFIRM' }),
  'POST /campaign/{id}/resendunknown': () => ({ confirm: 'CONFIRM' }),
  'POST /contact': () => ({ campaign: ids.campaign, phone: '21 98765-4321', nome: 'Exemplo' }),
  'POST /contact/search': () => ({ campaign: ids.campaign, search: 'Exemplo' }),
  'PATCH /contact/{id}': () => ({ campaign: ids.campaign, nome: 'Outro' }),
})
