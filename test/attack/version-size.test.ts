import { expect, test } from 'vitest'
import type { Answer } from '#test/api/harness.ts'
import { openAdmin } from '#test/api/open-parley.ts'
import { isFull } from '#test/fixture/full.ts'

/** Longest piece of work of the main thread, ms. */
const LONGEST_MS = 20
/** The same for followers of the log, which work after the answer. */
const LONGEST_BESIDE_MS = 100
const LONG = 600_000
const TASKS = 4
/** Dialogs of each task: 50 MB in all, 5 MB in a short run. */
const DIALOGS = isFull ? 80 : 8
const BLOCKS = 60

const { parley, admin } = await openAdmin()

interface Drawn {
  readonly flow: object
  readonly release: { readonly flow?: object } | null
}

const block = (place: number, text: string) => ({
  ...{ type: 'text', title: `Text ${place}`, top: place * 10, left: 0 },
  properties: { text: `<p>${text} ${place}</p>` },
})

/** A version file with drafts and published flows of 60 blocks with a text of 1,200 characters each. */
const versionFile = (count: number): string => {
  const flow = (name: string) => ({
    ...{ format: 'parley-flow', version: 1, links: {} },
    operators: Object.fromEntries(
      Array.from({ length: BLOCKS }, (_, place) => [
        `b${place}`,
        block(place, `${name} ${'lorem ipsum '.repeat(100)}`),
      ]),
    ),
  })
  const dialogs = Array.from({ length: count }, (_, at) => ({
    name: `Dialog ${at}`,
    flow: flow(`Draft ${at}`),
    release: { flow: flow(`Dialog ${at}`) },
  }))
  const dialogtasks = Array.from({ length: TASKS }, (_, at) => ({ name: `Task ${at}`, dialogs }))
  return JSON.stringify({ format: 'parley-version', version: 1, name: 'Large', bot: { name: 'B' }, dialogtasks })
}

/** Pieces of the main thread that were too long during a call. */
const tooLong = async (call: () => Promise<Answer>) => {
  await parley.pieces(LONGEST_MS)
  const answer = await call()
  const pieces = await parley.pieces(LONGEST_MS)
  return { answer, pieces: pieces.filter(({ ms, requests }) => requests.length > 0 || ms > LONGEST_BESIDE_MS) }
}

test(
  'uploads, compares, downloads, applies and creates a large version with a free main thread [P-1700]',
  async () => {
    const bot = (await admin.post('/bot', { name: 'Large' })).body.id
    const uploaded = (file: string) => {
      const form = new FormData()
      form.set('file', new Blob([file], { type: 'application/json' }), 'version.json')
      return admin.send('POST', `/version/upload?bot=${bot}`, { body: form })
    }
    // The first calls load their parts of the program.
    const { body: small } = await uploaded(versionFile(1))
    for (const part of ['preview', 'download']) await admin.get(`/version/${small.id}/${part}`)

    const file = versionFile(DIALOGS)
    const upload = await tooLong(() => uploaded(file))
    expect(upload).toMatchObject({ answer: { status: 201 }, pieces: [] })
    const { id } = upload.answer.body

    const preview = await tooLong(() => admin.get(`/version/${id}/preview`))
    expect(preview).toMatchObject({ answer: { status: 200 }, pieces: [] })
    const things = preview.answer.body.things as readonly { readonly state: string }[]
    expect(things.filter(({ state }) => state === 'added')).toHaveLength(TASKS * (DIALOGS + 1))

    const download = await tooLong(() => admin.get(`/version/${id}/download`))
    expect(download).toMatchObject({ answer: { status: 200, text: expect.stringContaining('Dialog 7') }, pieces: [] })
    expect(JSON.parse(download.answer.text)).toEqual(JSON.parse(file))

    const apply = await tooLong(() => admin.post(`/version/${id}/apply`, { confirm: 'CONFIRM' }))
    expect(apply).toMatchObject({ answer: { status: 200 }, pieces: [] })

    const create = await tooLong(() => admin.post('/version', { bot, name: 'Present' }))
    expect(create).toMatchObject({ answer: { status: 201 }, pieces: [] })
    const { text } = await admin.get(`/version/${create.answer.body.id}/download`)
    const present = JSON.parse(text).dialogtasks as readonly {
      readonly dialogs: readonly Drawn[]
    }[]
    expect(present.map(({ dialogs }) => dialogs.length)).toEqual(Array.from({ length: TASKS }, () => DIALOGS))
    const published = JSON.parse(file).dialogtasks[0].dialogs.map(({ release }: Drawn) => release)
    expect(present[0]?.dialogs.map(({ flow }) => ({ flow }))).toEqual(expect.arrayContaining(published))
    expect(present.flatMap(({ dialogs }) => dialogs.filter(({ release }) => release === null))).toEqual([])

    const same = await tooLong(() => admin.get(`/version/${id}/preview`))
    expect(same).toMatchObject({ answer: { body: { things: [] } }, pieces: [] })
  },
  LONG,
)
