import type { Client } from './harness.ts'

/** A campaign with all that it needs. Answers its id. */
export const makeCampaign = async (admin: Client, name: string): Promise<string> => {
  const metaapp = (await admin.post('/metaapp', { name: `App ${name}`, app_id: '1' })).body.id
  const account = { metaapp, name: `Conta ${name}`, waba_id: '1', phone_number_id: '2' }
  const metaaccount = (await admin.post('/metaaccount', account)).body.id
  const text = { metaaccount, templateName: 'aviso', language: 'pt_BR', category: 'utility', templateType: 'TEXT' }
  const template = (await admin.post('/template', { ...text, body: 'Oi, tudo bem?' })).body.id
  return (await admin.post('/campaign', { name, template, metaaccount })).body.id
}
