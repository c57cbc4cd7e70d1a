import { describe, expect, test } from 'vitest'
import { sheetOf, workbookOf } from '#test/fixture/workbook.ts'
import { makeCampaign } from './campaign.ts'
import { endedUpload, sendFile } from './contact-file.ts'
import { openAdmin } from './open-parley.ts'

const { admin } = await openAdmin()

let made = 0
/** Creates a campaign with an upload profile. */
const profileOf = async (fields: object = {}) => {
  made += 1
  const campaign = await makeCampaign(admin, `campanha${made}`)
  const given = { name: `Perfil ${made}`, campaign_id: campaign, ...fields }
  const { status, text, body } = await admin.post('/campaignuploadprofile', given)
  expect(status, text).toBe(201)
  return { campaign, profile: body.id }
}
const upload = async (profile: string, content: string, query = '') => {
  const answer = await sendFile(admin, `/campaignuploadprofile/${profile}/upload${query}`, content)
  expect(answer.status, answer.text).toBe(202)
  return answer.body
}
const contactsOf = async (campaign: string) => (await admin.get(`/contact?campaign=${campaign}`)).body

const FILE = 'telefone;nome;cidade\n11 98765-4321;Ana;São Paulo\n(21) 99876-5432;Bia;Rio\n'
const RULES = {
  transformation_pre_rule: '$merge([$, {"cidade": $uppercase(cidade), "linha": $line}])',
  validation_schema: { type: 'object', properties: { cidade: { minLength: 3 } }, required: ['telefone'] },
  transformation_post_rule: '{"phone": telefone, "nome": nome, "field01": cidade, "field02": $string(linha)}',
}

describe('an upload', () => {
  test('follows the rules of its profile and reports each step [D-3.7.01] [D-3.7.02] [D-3.8.01] [D-4.10]', async () => {
    const { campaign, profile } = await profileOf({ ...RULES, partial_upload_allowed: false })
    expect((await admin.get(`/campaignuploadprofile/${profile}`)).body).toMatchObject({
      ...RULES,
      campaign_id: campaign,
      partial_upload_allowed: false,
    })
    const begun = await upload(profile, FILE)
    expect(begun).toMatchObject({ status: 'received', again: null })
    const ended = await endedUpload(admin, begun.id)
    expect(ended).toMatchObject({
      campaignuploadprofile: profile,
      campaign,
      name: 'contatos.csv',
      status: 'succeeded',
      pre_status: 'succeeded',
      validation_status: 'succeeded',
      post_status: 'succeeded',
      ...{ read: 2, valid: 2, invalid: 0, dropped: 0, duplicate: 0, repeated: 0, suppressed: 0, added: 2 },
      error_message: null,
    })
    expect(Date.parse(String(ended.finished)) - Date.parse(String(ended.started))).toBe(ended.time_taken)
    const { items } = await contactsOf(campaign)
    expect(items).toMatchObject([
      { phone: '+5521998765432', nome: 'Bia', fields: { field01: 'RIO', field02: '3' }, upload: begun.id },
      { phone: '+5511987654321', nome: 'Ana', fields: { field01: 'SÃO PAULO', field02: '2' } },
    ])
    const { body } = await admin.get(`/campaignupload?campaignuploadprofile=${profile}`)
    expect(body.items).toMatchObject([{ id: begun.id, status: 'succeeded' }])
  })

  test('adds nothing where a record is invalid, and the valid ones where that is allowed [D-3.7.02]', async () => {
    const file = `${FILE}5,51E+12;Caio;Recife\n31 98765-4321;Duda;SP\n`
    const strict = await profileOf(RULES)
    const { id } = await upload(strict.profile, file)
    const failed = await endedUpload(admin, id)
    expect(failed).toMatchObject({ status: 'failed', validation_status: 'failed', invalid: 2, valid: 2, added: 0 })
    expect(failed.error_message).toBe('2 lines are invalid: nothing was added')
    expect((await contactsOf(strict.campaign)).total).toBe(0)

    const lenient = await profileOf({ ...RULES, partial_upload_allowed: true })
    const partly = await upload(lenient.profile, file)
    expect(await endedUpload(admin, partly.id)).toMatchObject({ status: 'partial', invalid: 2, added: 2 })
    expect((await contactsOf(lenient.campaign)).total).toBe(2)
    const rejects = await admin.get(`/campaignupload/${partly.id}/rejects`, { 'accept-language': 'pt' })
    expect(rejects.headers.get('content-type')).toMatch(/^text\/csv/)
    const lines = rejects.text.trim().split('\r\n')
    expect(lines[0]).toBe('line,field,reason,telefone,nome,cidade')
    expect(lines[1]).toMatch(/^5,,Não obedece ao esquema: cidade \(minLength\),31 98765-4321,Duda,SP$/)
    expect(lines[2]).toMatch(/^4,phone,Uma planilha arredondou este número.*,"5,51E\+12",Caio,Recife$/)
  })

  test('leaves out what a rule gives nothing for, takes several for a list, and ends a rule that does not [P-1341]', async () => {
    const rule = 'nome = "Ana" ? [$, $merge([$, {"telefone": "11 98765-0002"}])] : nome = "Bia" ? $ : ()'
    const { campaign, profile } = await profileOf({ transformation_pre_rule: rule })
    const { id } = await upload(profile, `${FILE}31 98765-4321;Caio;BH\n`)
    expect(await endedUpload(admin, id)).toMatchObject({ status: 'succeeded', read: 3, dropped: 1, added: 3 })
    expect((await contactsOf(campaign)).total).toBe(3)

    const endless = { transformation_pre_rule: 'nome = "Ana" ? ($f := function($n) {$f($n + 1)}; $f(1)) : $' }
    const other = await profileOf({ ...endless, partial_upload_allowed: true })
    const slow = await upload(other.profile, FILE)
    expect(await endedUpload(admin, slow.id)).toMatchObject({ status: 'partial', pre_status: 'failed', added: 1 })
  })

  test('takes each number once, counts lines repeated in the file, and recognizes the same file [P-1342] [P-1942]', async () => {
    const { campaign, profile } = await profileOf()
    const file = 'telefone;nome\n+55 11 98765-4321;Ana\n11987654321;Ana de novo\n551187654321;Ana sem o nono\n'
    const before = await upload(profile, file, '?dryrun=true')
    expect(before).toMatchObject({ valid: 3, invalid: 0, duplicate: 2, repeated: 2, added: 1 })
    expect(before.faults).toMatchObject([
      { line: 3, code: 'uploadline' },
      { line: 4, code: 'uploadline' },
    ])
    const first = await upload(profile, file)
    expect(await endedUpload(admin, first.id)).toMatchObject({
      ...{ status: 'succeeded', valid: 3, duplicate: 2, repeated: 2, added: 1 },
    })
    expect((await admin.get(`/campaignupload/${first.id}/rejects`)).text).toContain('already')
    const tried = await upload(profile, file, '?dryrun=true')
    expect(tried).toMatchObject({
      id: null,
      status: 'succeeded',
      duplicate: 3,
      repeated: 2,
      added: 0,
      again: { id: first.id },
    })
    const second = await upload(profile, file)
    expect(await endedUpload(admin, second.id)).toMatchObject({ duplicate: 3, added: 0 })
    expect((await contactsOf(campaign)).items).toMatchObject([{ nome: 'Ana' }])
  })

  test('ends with why a file cannot be read, in the words of the person [P-1343]', async () => {
    const { profile } = await profileOf()
    const faults: Readonly<Record<string, string>> = {
      'telefone;nome\n': 'There are no records in the file',
      'telefone;nome\n1;"x\n2;y\n': 'Line 2 opens a quote that never closes',
      'telefone;nome;nome\n1;x;y\n': 'Column “nome” is there twice or is none of nome and field01 to field16',
      'telefone;field17\n1;x\n': 'Column “field17” is there twice or is none of nome and field01 to field16',
    }
    for (const [file, message] of Object.entries(faults)) {
      const { id } = await upload(profile, file)
      const ended = await endedUpload(admin, id)
      expect(ended, file).toMatchObject({ status: 'failed', error_message: message, added: 0 })
    }
    const remote = await profileOf({ validation_schema: { $ref: 'https://example.com/schema.json' } })
    const { id } = await upload(remote.profile, FILE)
    expect(await endedUpload(admin, id)).toMatchObject({ status: 'failed', validation_status: 'failed' })
  })

  test('takes at most 20 columns without a rule and at most 1 MB [D-5.16] [C-5.19]', async () => {
    const { profile } = await profileOf()
    const wide = Array.from({ length: 21 }, (_, at) => `m${at}`).join(';')
    const { id } = await upload(profile, `${wide}\n${wide}\n`)
    expect(await endedUpload(admin, id)).toMatchObject({ error_message: 'Maximum 20 fields allowed' })
    const large = await sendFile(admin, `/campaignuploadprofile/${profile}/upload`, 'x'.repeat(1_048_577))
    expect(large.status).toBe(413)
    expect(large.body.detail).toBe('File is too big , max is 1MB')
  })
})

describe('an import with a mapping', () => {
  test('shows what a file holds and suggests what columns are for [P-1344]', async () => {
    const { campaign } = await profileOf()
    const path = `/campaign/${campaign}/contacts/preview`
    const { status, body } = await sendFile(admin, path, 'Cliente;WhatsApp;Campo 2\nAna;11 98765-4321;x\nBia;190;y\n')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      ...{ encoding: 'utf-8', delimiter: ';', header: true, count: 2 },
      columns: [
        { name: 'Cliente', filled: 2 },
        { name: 'WhatsApp', filled: 2 },
        { name: 'Campo 2', filled: 2 },
      ],
      rows: [
        { line: 2, cells: ['Ana', '11 98765-4321', 'x'] },
        { line: 3, cells: ['Bia', '190', 'y'] },
      ],
      mapping: { columns: { nome: 0, phone: 1, field02: 2 }, header: true },
      faults: [
        {
          line: 3,
          column: 1,
          code: 'contactphoneinvalid',
          message: 'There is no such number: check its digits and area code',
        },
      ],
    })
    const bare = await sendFile(admin, path, '5511987654321;Ana;1\n5511987654322;Bia;2\n')
    expect(bare.body).toMatchObject({ header: false, count: 2, mapping: { columns: { phone: 0, nome: 1 } } })
    expect((await contactsOf(campaign)).total).toBe(0)
  })

  test('proposes fields by the names of columns and keeps the names and columns with the fields [P-1947] [P-2988]', async () => {
    const { campaign } = await profileOf()
    const { revision } = (await admin.get(`/campaign/${campaign}`)).body
    const mapping = [{ variable: 'city', source: 'field02' }]
    expect((await admin.patch(`/campaign/${campaign}`, { mapping }, revision)).status).toBe(200)
    const file = 'Nombre;Teléfono;Cidade;E-mail;Obs\nAna;11 98765-4321;Recife;a@b.example;x\n'
    const { body } = await sendFile(admin, `/campaign/${campaign}/contacts/preview`, file)
    const columns = { nome: 0, phone: 1, field02: 2, field01: 3 }
    expect(body.mapping).toEqual({ columns, header: true, country: 'BR' })
    const names = { field01: 'E-mail', field02: 'Cidade' }
    const query = encodeURIComponent(JSON.stringify({ columns, names }))
    const { id } = (await sendFile(admin, `/campaign/${campaign}/contacts/import?mapping=${query}`, file)).body
    expect(await endedUpload(admin, id)).toMatchObject({ added: 1 })
    expect((await admin.get(`/contact?campaign=${campaign}`)).body).toMatchObject({ names, columns })
    // A field of another column of a second file is of none.
    const moved = { ...columns, field01: 4, field02: 3 }
    const again = encodeURIComponent(JSON.stringify({ columns: moved, names }))
    const more = file.replace('98765-4321', '98765-4322')
    const second = (await sendFile(admin, `/campaign/${campaign}/contacts/import?mapping=${again}`, more)).body
    expect(await endedUpload(admin, second.id)).toMatchObject({ added: 1 })
    expect((await admin.get(`/contact?campaign=${campaign}`)).body.columns).toEqual({ nome: 0, phone: 1 })
  })

  test('takes a workbook as well, by what it holds and not by its name [P-1347]', async () => {
    const { campaign } = await profileOf()
    const workbook = workbookOf(
      sheetOf([
        ['Telefone', 'Nome'],
        [5511987654321, 'Ana'],
      ]),
    )
    const { body } = await sendFile(admin, `/campaign/${campaign}/contacts/preview`, workbook)
    expect(body).toMatchObject({ delimiter: '', count: 1, mapping: { columns: { phone: 0, nome: 1 } }, faults: [] })
    const old = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1])
    const refused = await sendFile(admin, `/campaign/${campaign}/contacts/preview`, old)
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toMatchObject([{ path: 'file', params: { rule: 'uploadxls' } }])
  })

  test('adds the columns that a person chose, and tells before what would come of it [P-1344]', async () => {
    const { campaign } = await profileOf()
    const file = '5511987654321;Ana;1\n5511987654322;Bia;2\nabc;Caio;3\n'
    const mapping = { columns: { phone: 0, nome: 1, field05: 2 }, header: false }
    const path = `/campaign/${campaign}/contacts/import?mapping=${encodeURIComponent(JSON.stringify(mapping))}`
    const tried = await sendFile(admin, `${path}&dryrun=true`, file)
    expect(tried.body).toMatchObject({ status: 'failed', read: 3, valid: 2, invalid: 1, added: 0 })
    expect(tried.body.faults).toMatchObject([{ line: 3, column: 0, code: 'contactphoneformat' }])
    const { body } = await sendFile(admin, `${path}&partial=true`, file)
    expect(await endedUpload(admin, body.id)).toMatchObject({
      ...{ status: 'partial', pre_status: 'skipped', added: 2, campaignuploadprofile: null },
    })
    expect((await contactsOf(campaign)).items).toMatchObject([
      { nome: 'Bia', fields: { field05: '2' } },
      { nome: 'Ana', fields: { field05: '1' } },
    ])
    const without = await sendFile(admin, `/campaign/${campaign}/contacts/import?mapping={}`, file)
    expect(without.status).toBe(422)
  })
})
