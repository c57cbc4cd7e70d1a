import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, sep } from 'node:path'
import {
  BOT_FILE,
  type BotThing,
  fileOfThing,
  folderFields,
  kindOfPath,
  pathsOf,
  readThingFile,
  UnreadableFile,
} from '#domain/bot-folder/bot-file.ts'
import { isObject, jsonEqual, objectOf, optionalText, own, parseJsonField } from '#schemas/json.ts'

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A thing of the folder and the path of its file. */
export interface LocalThing {
  readonly thing: BotThing
  readonly path: string
  readonly hash: string
}

/** Hashes of a thing: of all of it, and of its drawing with the code. */
export interface Hashes {
  readonly hash: string
  readonly flow?: string
}

/** Hashes by id of what the server had when the folder was last equal to it. */
export type Base = ReadonlyMap<string, Hashes>

export const hashesOf = (thing: BotThing): Hashes => {
  const hash = hashOf(fileOfThing(thing))
  return thing.flow === undefined ? { hash } : { hash, flow: hashOf(fileOfThing({ ...thing, fields: {} })) }
}

export interface LocalBot {
  /** Id of the bot. */
  readonly bot: string
  readonly things: readonly LocalThing[]
  readonly base: Base
}

/** Names of changed fields; a field that the file lacks counts as null. */
export const changedFields = (before: BotThing | undefined, after: BotThing): readonly string[] =>
  folderFields(after.entity).filter(
    name => !jsonEqual(own(before?.fields ?? {}, name) ?? null, own(after.fields, name) ?? null),
  )

/** State of the folder at the last pull or push; committed with it. */
const LOCK_FILE = 'parley.lock.json'

/** The folder cannot be used. The message is a line for people. */
export class FolderFault extends Error {
  override readonly name = 'FolderFault'
}

const filesIn = (folder: string): readonly string[] =>
  globSync('{bot.yaml,{schemas,variables,tests}/*.yaml,tasks/*/task.yaml,tasks/*/{dialogs,handlers}/*.yaml}', {
    cwd: folder,
  })
    .map(path => path.split(sep).join('/'))
    .sort()

const parsed = (path: string, read: () => BotThing): BotThing => {
  try {
    return read()
  } catch (error) {
    if (error instanceof UnreadableFile) throw new FolderFault(`${path}: ${error.message}`)
    throw error
  }
}

const readBase = (folder: string): Base => {
  const path = join(folder, LOCK_FILE)
  if (!existsSync(path)) return new Map()
  const lock = parseJsonField(readFileSync(path, 'utf8'))
  const things = isObject(lock) ? own(lock, 'things') : undefined
  if (!isObject(lock) || !isObject(things))
    throw new FolderFault(`${LOCK_FILE} cannot be read: pull again, or take it from git.`)
  // Locks of earlier versions have no hashes of drawings.
  const flows = objectOf(own(lock, 'flows'))
  return new Map(
    Object.entries(things).map(([id, hash]) => {
      const flow = optionalText(own(flows, id))
      return [id, { hash: String(hash), ...(flow === undefined ? {} : { flow }) }]
    }),
  )
}

/** Reads the folder of a bot; undefined when there is none. @throws FolderFault naming the file and the place in it */
export const readBotFolder = (folder: string): LocalBot | undefined => {
  if (!existsSync(join(folder, BOT_FILE))) return undefined
  const tasks = new Map<string, string>()
  const things: LocalThing[] = []
  const owners = new Map<string, string>()
  // The file of a task is read before the dialogs of its folder.
  const paths = [...filesIn(folder)].sort((one, other) => one.split('/').length - other.split('/').length)
  for (const path of paths) {
    const kind = kindOfPath(path)
    if (kind === undefined) continue
    const { entity, taskFile } = kind
    const text = readFileSync(join(folder, path), 'utf8')
    if (taskFile !== undefined && !tasks.has(taskFile)) throw new FolderFault(`${path}: ${taskFile} is missing`)
    const task = taskFile === undefined ? undefined : tasks.get(taskFile)
    const thing = parsed(path, () => readThingFile(entity, text, task))
    const { id } = thing
    if (entity === 'dialogtask') tasks.set(path, id ?? path)
    if (id !== undefined && owners.has(id)) throw new FolderFault(`${path}: has the id of ${owners.get(id)}`)
    if (id !== undefined) owners.set(id, path)
    things.push({ thing, path, hash: hashOf(fileOfThing(thing)) })
  }
  const bot = things.find(({ thing }) => thing.entity === 'bot')?.thing.id
  if (bot === undefined) throw new FolderFault(`${BOT_FILE}: has no id`)
  return { bot, things, base: readBase(folder) }
}

const removeEmpty = (folder: string, path: string): void => {
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const full = join(folder, parent)
    if (!existsSync(full) || readdirSync(full).length > 0) return
    rmdirSync(full)
  }
}

const writeWhole = (path: string, text: string): void => {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  mkdirSync(dirname(path), { recursive: true })
  const part = `${path}.part`
  writeFileSync(part, text)
  renameSync(part, path)
}

/** Makes the folder hold these things, in place of the files of `before`. */
export const writeBotFolder = (
  folder: string,
  before: readonly LocalThing[],
  after: readonly BotThing[],
  base: Base,
): void => {
  const paths = pathsOf(after)
  const old = new Map(before.map(local => [local.thing, local.path]))
  const written = new Set<string>()
  for (const thing of after) {
    // A file of something new keeps its name until the server has given it an id.
    const path = (thing.id === undefined ? undefined : paths.get(thing)) ?? old.get(thing)
    if (path === undefined) continue
    written.add(path)
    writeWhole(join(folder, path), fileOfThing(thing))
  }
  for (const { path } of before) {
    if (written.has(path)) continue
    rmSync(join(folder, path), { force: true })
    removeEmpty(folder, path)
  }
  const known = [...base].sort(([one], [other]) => (one < other ? -1 : 1))
  const things = Object.fromEntries(known.map(([id, { hash }]) => [id, hash]))
  const flows = Object.fromEntries(known.flatMap(([id, { flow }]) => (flow === undefined ? [] : [[id, flow]])))
  const lock = { format: 'parley-lock', version: 1, things, flows }
  writeWhole(join(folder, LOCK_FILE), `${JSON.stringify(lock, null, 2)}\n`)
}
