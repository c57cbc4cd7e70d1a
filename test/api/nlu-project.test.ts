import { describe, expect, test } from 'vitest'
import { openAdmin } from './open-parley.ts'
import { level, person } from './people.ts'

const { parley, admin } = await openAdmin()

const made = (entity: string, fields: object, by = admin) => by.create(entity, fields)
const read = async (entity: string, id: string) => (await admin.get(`/${entity}/${id}`)).body

/** A change at the present revision. */
const change = async (entity: string, id: string, fields: object) =>
  admin.patch(`/${entity}/${id}`, fields, (await read(entity, id)).revision)

describe('an NLU project', () => {
  test('has its fields, and is not trained at first [C-3.31]', async () => {
    for (const entity of ['nluproject', 'brain']) {
      const parent = await made(entity, { name: `Base ${entity}`, locale: 'pt' })
      const fields = { name: `Saúde ${entity}`, description: 'Vale Claro', locale: 'pt', inheritfrom: parent }
      expect(await read(entity, await made(entity, fields))).toMatchObject({
        ...fields,
        timezone: 'America/Sao_Paulo',
        training_status: 'none',
        training_started_at: null,
        training_finished_at: null,
        uploaded_at: null,
        models: [],
      })
      for (const wrong of [{ locale: 'xx' }, { inheritfrom: 'none' }, { training_status: 'finished' }, { models: [] }])
        expect((await admin.post(`/${entity}`, { name: 'Errado', locale: 'pt', ...wrong })).status).toBe(422)
    }
  })

  test('is named once in its level, and elsewhere as well [C-5.12]', async () => {
    await made('nluproject', { name: 'Único', locale: 'pt' })
    const again = await admin.post('/nluproject', { name: ' único ', locale: 'en' })
    expect([again.status, again.body.code]).toEqual([409, 'entity.name.taken'])
    await made('nluproject', { name: 'Único', locale: 'pt', hierarchylevel: await level(admin, 'Outro') })
    await made('brain', { name: 'Único', locale: 'pt' })
  })

  test('inherits in no circle [C-3.33] [N-5.11]', async () => {
    const [one, two, three] = [
      await made('nluproject', { name: 'Círculo 1', locale: 'pt' }),
      await made('nluproject', { name: 'Círculo 2', locale: 'pt' }),
      await made('nluproject', { name: 'Círculo 3', locale: 'pt' }),
    ]
    expect((await change('nluproject', two, { inheritfrom: one })).status).toBe(200)
    expect((await change('nluproject', three, { inheritfrom: two })).status).toBe(200)
    for (const inheritfrom of [one, two, three]) {
      const { status, body } = await change('nluproject', one, { inheritfrom })
      expect([status, body.errors]).toMatchObject([422, [{ path: 'inheritfrom', code: 'cycle' }]])
    }
    const at = (await read('nluproject', one)).revision
    await change('nluproject', two, { inheritfrom: null })
    expect((await admin.patch(`/nluproject/${one}`, { inheritfrom: three }, at)).status).toBe(200)
  })

  test('is removed with its contents after CONFIRM, and not while a bot uses it [P-750]', async () => {
    const project = await made('nluproject', { name: 'Passageiro', locale: 'pt' })
    const intent = await made('intent', { nluproject: project, name: 'cumprimentar' })
    const bot = await made('bot', { name: 'Usa o projeto', nluproject: project })
    expect((await admin.delete(`/nluproject/${project}`)).status).toBe(422)
    const used = await admin.delete(`/nluproject/${project}`, { confirm: 'CONFIRM' })
    expect([used.status, used.body.code]).toEqual([409, 'entity.used'])
    expect((await change('bot', bot, { nluproject: null })).status).toBe(200)
    expect((await admin.delete(`/nluproject/${project}`, { confirm: 'CONFIRM' })).status).toBe(200)
    expect((await admin.get(`/intent/${intent}`)).status).toBe(404)
    const back = await admin.post(`/nluproject/${project}/restore`, { revision: 1 })
    expect(back.status, back.text).toBe(200)
    expect((await read('intent', intent)).name).toBe('cumprimentar')
  })
})

describe('the contents of an NLU project', async () => {
  const project = await made('nluproject', { name: 'Conteúdo', locale: 'pt' })

  test('is read, listed, changed and removed by its routes [C-2.25] [C-2.56]', async () => {
    const brain = await made('brain', { name: 'Conteúdo', locale: 'pt' })
    const things: Readonly<Record<string, object>> = {
      intent: { nluproject: project, name: 'ver_saldo' },
      nluprojectentity: { nluproject: project, name: 'conta' },
      synonym: { nluproject: project, value: 'poupança', synonyms: ['caderneta'] },
      regex: { nluproject: project, name: 'agência', entity: 'agencia', pattern: '\\d{4}' },
      story: { nluproject: project, name: 'saldo', steps: [{ kind: 'intent', name: 'ver_saldo' }] },
      nluintent: { brain, name: 'horário' },
    }
    for (const [entity, fields] of Object.entries(things)) {
      const id = await made(entity, fields)
      const parent = entity === 'nluintent' ? `brain=${brain}` : `nluproject=${project}`
      expect((await admin.get(`/${entity}?${parent}`)).body.items.map(item => item.id)).toContain(id)
      const title = entity === 'synonym' ? 'value' : 'name'
      expect((await change(entity, id, { [title]: 'outro' })).status).toBe(200)
      expect((await admin.post(`/${entity}`, { ...fields, [title]: 'Outro' })).status).toBe(409)
      expect((await admin.delete(`/${entity}/${id}`)).status).toBe(200)
      expect((await admin.get(`/${entity}/${id}`)).status).toBe(404)
    }
  })

  test('an intent has statements and responses with ids of their own [C-3.34]', async () => {
    const id = await made('intent', {
      nluproject: project,
      name: 'marcar',
      statements: [{ text: 'quero um [pediatra](especialidade) hoje' }, { text: 'marcar consulta' }],
      responses: [{ text: 'Para quando?' }],
    })
    const { statements, responses } = (await read('intent', id)) as unknown as Record<
      string,
      { id: string; text: string }[]
    >
    expect(statements?.map(({ text }) => text)).toEqual(['quero um [pediatra](especialidade) hoje', 'marcar consulta'])
    expect(new Set([...(statements ?? []), ...(responses ?? [])].map(item => item.id)).size).toBe(3)
    const long = await admin.post('/intent', {
      nluproject: project,
      name: 'longa',
      statements: [{ text: 'x'.repeat(2001) }],
    })
    expect(long.body.errors).toMatchObject([{ path: 'statements.0.text', code: 'toolong' }])
    const odd = '<script>alert(1)</script> & "aspas" \\[x\\]'
    const other = await made('intent', { nluproject: project, name: 'estranha', statements: [{ text: odd }] })
    expect((await read('intent', other)).statements).toMatchObject([{ text: odd }])
  })

  test('keeps lines that two people add to one intent at once [P-751]', async () => {
    const id = await made('intent', { nluproject: project, name: 'juntos', statements: [{ id: 'a', text: 'um' }] })
    const { revision } = await read('intent', id)
    const lines = [
      [
        { id: 'a', text: 'um' },
        { id: 'b', text: 'dois' },
      ],
      [
        { id: 'a', text: 'um!' },
        { id: 'c', text: 'três' },
      ],
    ]
    for (const statements of lines)
      expect((await admin.patch(`/intent/${id}`, { statements }, revision)).status).toBe(200)
    const texts = ((await read('intent', id)).statements as { text: string }[]).map(({ text }) => text)
    expect(texts.toSorted()).toEqual(['dois', 'três', 'um!'])
  })

  test('a pattern that is none, finds nothing or can explode is refused [C-3.35] [N-5.6]', async () => {
    const tried = async (pattern: string) => {
      const { status, body } = await admin.post('/regex', { nluproject: project, name: pattern, entity: 'x', pattern })
      return status === 201 ? 'made' : (body.errors[0] as unknown as { message: string }).message
    }
    expect(await tried('[0-9]{3}\\.[0-9]{3}')).toBe('made')
    expect(await tried('(sim|não|talvez)+')).toBe('made')
    expect(await tried('(a+)+$')).toMatch(/far too long/)
    expect(await tried('(a|a)*b')).toMatch(/far too long/)
    expect(await tried('(.|x)*y')).toMatch(/far too long/)
    expect(await tried('[a-')).toMatch(/no regular expression/)
    expect(await tried('a*')).toMatch(/matches nothing/)
  })

  test('stores a synonym with its variants, and an entity with a table [C-3.36] [C-3.37]', async () => {
    const synonym = await made('synonym', {
      nluproject: project,
      value: 'Pediatria',
      synonyms: ['pediatra', 'médico de criança'],
    })
    expect((await read('synonym', synonym)).synonyms).toEqual(['pediatra', 'médico de criança'])
    const table = [
      { value: 'UBS Centro', synonyms: ['posto do centro'] },
      { value: 'UBS Jardim', synonyms: [] },
    ]
    const entity = await made('nluprojectentity', {
      nluproject: project,
      name: 'unidade',
      type: 'lookup',
      lookup_data: table,
    })
    expect((await read('nluprojectentity', entity)).lookup_data).toMatchObject(table)
    const system = { nluproject: project, name: 'número', type: 'system' }
    const refused = await admin.post('/nluprojectentity', { ...system, lookup_data: table })
    expect(refused.body.errors?.map(({ path, code }) => [path, code])).toEqual([['lookup_data', 'unknown']])
    expect((await read('nluprojectentity', await made('nluprojectentity', system))).lookup_data).toEqual([])
  })

  test('a story has steps of three kinds [C-3.38]', async () => {
    const steps = [
      { kind: 'intent', name: 'marcar', text: 'quero marcar' },
      { kind: 'entity', name: 'especialidade', text: 'pediatra' },
      { kind: 'action', name: 'say', text: 'Para quando?' },
    ]
    const id = await made('story', { nluproject: project, name: 'feliz', steps })
    expect(await read('story', id)).toMatchObject({ steps, training_status: 'none' })
    expect(
      (await admin.post('/story', { nluproject: project, name: 'x', steps: [{ kind: 'x', name: 'y' }] })).status,
    ).toBe(422)
  })

  test('is found by the search where an index covers the project [C-3.67]', async () => {
    const intent = await made('intent', {
      nluproject: project,
      name: 'indexada',
      statements: [{ text: 'palavra xilofone' }],
    })
    const search = async () => (await admin.get('/search?search=xilofone')).body.items.map(({ id }) => id)
    expect(await search()).toEqual([])
    const other = await made('nluproject', { name: 'Sem índice', locale: 'pt' })
    const elsewhere = await made('sitesearchindex', { entity_type: 'intent', nluproject: other })
    expect(await search()).toEqual([])
    await made('sitesearchindex', { entity_type: 'intent', nluproject: project })
    expect(await search()).toEqual([intent])
    expect((await admin.delete(`/nluproject/${other}`, { confirm: 'CONFIRM' })).status).toBe(200)
    expect((await read('sitesearchindex', elsewhere)).nluproject).toBeNull()
  })

  test('is for those alone who may, at their level [P-750]', async () => {
    const here = await level(admin, 'NLU aqui')
    const actions = ['readnluproject', 'readintent']
    const { client: reader } = await person(parley, admin, { username: 'leitora', level: here, actions })
    const mine = await made('nluproject', { name: 'Daqui', locale: 'pt', hierarchylevel: here })
    const intent = await made('intent', { nluproject: mine, name: 'só leitura' })
    expect((await reader.get(`/intent/${intent}`)).status).toBe(200)
    expect((await reader.get(`/nluproject/${project}`)).status).toBe(404)
    expect((await reader.get(`/intent?nluproject=${project}`)).body.total).toBe(0)
    expect((await reader.get('/synonym')).status).toBe(403)
    expect((await reader.post('/intent', { nluproject: mine, name: 'x' })).status).toBe(403)
  })
})

test('a bot has its fields of NLU [C-3.12]', async () => {
  const nluproject = await made('nluproject', { name: 'Do bot', locale: 'pt' })
  const brain = await made('brain', { name: 'Do bot', locale: 'pt' })
  const fields = {
    nluenabled: true,
    default_nlu_system: 'parley',
    fuzzy_match_enabled: true,
    nluproject,
    nlumodel: 'm1',
    nlutimeout: 2000,
    intentconfidence: 60,
    entityconfidence: 50,
    disable_nlu_on_prompt: true,
    brainenabled: true,
    brain,
    act_as_ml_action_server: true,
  }
  const bot = await made('bot', { name: 'Entende', ...fields })
  expect(await read('bot', bot)).toMatchObject(fields)
  expect((await admin.get(`/nluproject/${nluproject}/usedby`)).body.items).toMatchObject([{ entity: 'bot', id: bot }])
  for (const wrong of [{ nluproject: brain }, { brain: nluproject }, { intentconfidence: 101 }])
    expect((await change('bot', bot, wrong)).status).toBe(422)
})
