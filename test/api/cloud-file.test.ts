import { describe, expect, test } from 'vitest'
import { PIXEL } from '#test/fixture/pixel.ts'
import type { Client } from './harness.ts'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()

const upload = async (client: Client, name: string, content: BlobPart) => {
  const form = new FormData()
  form.append('file', new Blob([content]), name)
  return client.send('POST', '/file', { body: form })
}
const make = async (client: Client, name: string, content: BlobPart = PIXEL, more: object = {}) => {
  const { body: file } = await upload(client, name, content)
  return client.post('/cloudfile', { file, ...more })
}
const addressOf = async (client: Client, id: string) => String((await client.get(`/cloudfile/${id}`)).body.address)
const open = (address: string, headers: Record<string, string> = {}) =>
  fetch(`${parley.origin}/botadmin/files/${address}`, { headers })

describe('a file in the cloud', () => {
  test('has a public address with its cleaned name [C-2.47] [P-320]', async () => {
    const made = await make(admin, '../Promoção de março.png')
    expect(made.status, made.text).toBe(201)
    const row = (await admin.get(`/cloudfile/${made.body.id}`)).body
    expect(row).toMatchObject({ name: 'Promoção de março.png', file: { type: 'image/png', size: PIXEL.length } })
    const answer = await open(String(row.address))
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(PIXEL)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-disposition': expect.stringMatching(/^inline/),
      'access-control-allow-origin': '*',
    })
    const known = await open(String(row.address), { 'if-none-match': answer.headers.get('etag') ?? '' })
    expect(known.status).toBe(304)
  })

  test('returns a conflict when its level has a file of the same name [C-8.15]', async () => {
    await make(admin, 'twice.png')
    const again = await make(admin, 'TWICE.png')
    expect([again.status, again.body.code]).toEqual([409, 'entity.name.taken'])
    const elsewhere = await level(admin, 'Other cloud')
    expect((await make(admin, 'twice.png', PIXEL, { hierarchylevel: elsewhere })).status).toBe(201)
  })

  test('of more than 1 MB is refused in the words of the specification [C-5.19]', async () => {
    const { status, body } = await upload(admin, 'big.txt', 'x'.repeat(1_048_577))
    expect([status, body.code]).toEqual([413, 'request.toolarge'])
    const english = await admin.send('POST', '/file', {
      body: (() => {
        const form = new FormData()
        form.append('file', new Blob(['x'.repeat(1_048_577)]), 'big.txt')
        return form
      })(),
      headers: { 'accept-language': 'en' },
    })
    expect(english.body.detail).toBe('File is too big , max is 1MB')
  })

  test('that can carry a script is not taken, and others are shown as nothing but a download [P-320]', async () => {
    for (const [name, content] of [
      ['page.html', '<!doctype html><script>alert(1)</script>'],
      ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
      ['feed.xml', '<?xml version="1.0"?><a/>'],
      ['page.txt', '\n <html><script>1</script></html>'],
    ] as const)
      expect((await upload(admin, name, content)).status, name).toBe(422)
    const made = await make(admin, 'code.js', 'alert(1)')
    const answer = await open(await addressOf(admin, made.body.id))
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
  })

  test('leaves its address when removed, and returns when restored [P-320]', async () => {
    const made = await make(admin, 'leaving.txt', 'here')
    const address = await addressOf(admin, made.body.id)
    expect((await open(address)).status).toBe(200)
    const { body: removed } = await admin.delete(`/cloudfile/${made.body.id}`)
    expect((await open(address)).status).toBe(404)
    await admin.post(`/cloudfile/${made.body.id}/restore`, { revision: Number(removed.revision) - 1 })
    expect(await (await open(address)).text()).toBe('here')
  })

  test('of another level is not in the list, and no address leads out of the folder [P-320]', async () => {
    const own = await level(admin, 'Own cloud')
    const other = await level(admin, 'Foreign cloud')
    await make(admin, 'foreign.png', PIXEL, { hierarchylevel: other })
    const { client } = await person(parley, admin, {
      username: 'clouds',
      level: own,
      actions: ['readcloudfile', 'createcloudfile'],
    })
    expect((await client.get('/cloudfile')).body.total).toBe(0)
    expect((await make(client, 'mine.png', PIXEL, { hierarchylevel: other })).status).toBe(404)
    for (const address of [
      'x/..%2f..%2fetc%2fpasswd',
      `${own}/none.png`,
      '%00/a',
      '%ED%A0%80/a',
      `${other}%2fforeign.png/x`,
    ])
      expect([400, 404], address).toContain((await open(address)).status)
    const { client: reader } = await person(parley, admin, { username: 'noclouds', level: own, actions: ['readbot'] })
    expect((await make(reader, 'none.png')).status).toBe(403)
  })

  test('lists the flows that link to it [C-2.47] [P-320]', async () => {
    const made = await make(admin, 'linked.png')
    const address = await addressOf(admin, made.body.id)
    const { dialog } = await admin.createDialog({ name: 'Linker' }, 'T', 'With picture')
    const flow = (await admin.get(`/dialog/${dialog}/flow`)).body as unknown as { operators: object; links: object }
    const block = {
      type: 'text',
      title: 'P',
      top: 10,
      left: 300,
      properties: { text: `look: https://x/botadmin/files/${address}` },
    }
    const put = await admin.put(`/dialog/${dialog}/flow`, { ...flow, operators: { ...flow.operators, pic: block } })
    expect(put.status, put.text).toBe(200)
    expect((await admin.get(`/cloudfile/${made.body.id}/links`)).body).toEqual({
      items: [{ entity: 'dialog', id: dialog, title: 'With picture', bot: 'Linker', block: 'pic' }],
      complete: true,
    })
    const shorter = await make(admin, 'linked')
    expect(await addressOf(admin, shorter.body.id)).toBe(address.replace(/\.png$/u, ''))
    expect((await admin.get(`/cloudfile/${shorter.body.id}/links`)).body).toEqual({ items: [], complete: true })
  })

  test('lists the fields of other entities that link to it, if readable [C-2.47] [P-444]', async () => {
    const made = await make(admin, 'manual.pdf')
    const address = `/botadmin/files/${await addressOf(admin, made.body.id)}`
    const create = (entity: string, fields: object) => admin.create(entity, fields)
    const bot = await create('bot', { name: 'Fields' })
    const sample = await create('codesample', { name: 'Manual', markdown_doc: `See [it](https://x${address}).` })
    const message = await create('localemessage', { locale: 'pt', code: 'manual', message: `Veja ${address}` })
    const values = await create('entityvaluepair', {
      bot,
      name: 'Docs',
      entity: 'doc',
      values: [{ value: 'manual', title: address }],
    })
    await create('localemessage', { locale: 'en', code: 'manual', message: `${address}.old` })
    await create('globalvariable', { name: 'hidden', value: address, secret: true })
    const { items } = (await admin.get(`/cloudfile/${made.body.id}/links`)).body
    expect(new Set(items)).toEqual(
      new Set([
        { entity: 'codesample', id: sample, title: 'Manual', bot: '', block: '', field: 'markdown_doc' },
        { entity: 'localemessage', id: message, title: 'manual', bot: '', block: '', field: 'message' },
        { entity: 'entityvaluepair', id: values, title: 'Docs', bot: '', block: '', field: 'values' },
      ]),
    )
    const own = await level(admin, 'Nuvem vizinha')
    const { client } = await person(parley, admin, {
      username: 'fields',
      level: own,
      actions: ['readcloudfile', 'createcloudfile', 'readlocalemessage'],
    })
    await admin.post('/codesample', { name: 'Own', code: 'x', hierarchylevel: own })
    expect((await client.get(`/cloudfile/${made.body.id}/links`)).status).toBe(404)
    const theirs = await make(client, 'theirs.pdf')
    const there = `/botadmin/files/${await addressOf(client, theirs.body.id)}`
    await create('codesample', { name: 'Theirs', code: there, hierarchylevel: own })
    const seen = await create('localemessage', { locale: 'pt', code: 'x', message: there, hierarchylevel: own })
    await create('localemessage', { locale: 'pt', code: 'root', message: there })
    const links = (await client.get(`/cloudfile/${theirs.body.id}/links`)).body.items
    expect(links.map(({ id }) => id)).toEqual([seen])
  })

  test('is found in Markdown, before a query and at the end of a sentence [P-320]', async () => {
    const made = await make(admin, 'place (1).png')
    const address = await addressOf(admin, made.body.id)
    const bot = (await admin.post('/bot', { name: 'Places' })).body.id
    const task = (await admin.post('/dialogtask', { name: 'T', bot })).body.id
    for (const after of [')text', '?v=2', '. Then', '.', '" alt', '']) {
      const dialog = (await admin.post('/dialog', { name: `D ${after}`, dialogtask: task })).body.id
      const flow = (await admin.get(`/dialog/${dialog}/flow`)).body as unknown as { operators: object }
      const text = `![x](/botadmin/files/${address}${after}`
      const pic = { type: 'text', title: 'P', top: 10, left: 300, properties: { text } }
      const put = await admin.put(`/dialog/${dialog}/flow`, { ...flow, operators: { ...flow.operators, pic } })
      expect(put.status, put.text).toBe(200)
    }
    expect((await admin.get(`/cloudfile/${made.body.id}/links`)).body.items).toHaveLength(6)
  })
})
