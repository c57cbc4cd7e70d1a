import { Document, isMap, isSeq, type Node } from 'yaml'
import { blockOf } from '#schemas/blocks/registry.ts'
import { bot } from '#schemas/entities/bot.ts'
import { conversationtest } from '#schemas/entities/conversationtest.ts'
import { dialog } from '#schemas/entities/dialog.ts'
import { dialogtask } from '#schemas/entities/dialogtask.ts'
import { handler } from '#schemas/entities/handler.ts'
import { variable } from '#schemas/entities/variable.ts'
import { variableschema } from '#schemas/entities/variableschema.ts'
import { type EntityDeclaration, parentField } from '#schemas/entity.ts'
import type { Json, JsonObject } from '#schemas/event.ts'
import type { BlockField, BlockFields } from '#schemas/flow/block-field.ts'
import type { FlowFile, FlowLink, FlowOperator } from '#schemas/flow/file.ts'
import { folded } from '#schemas/fold-text.ts'
import { isObject, jsonEqual, own, record } from '#schemas/json.ts'
import { versionFields } from '#schemas/versioned.ts'
import { parseFlowFile } from '../flow/file/parse-flow-file.ts'
import { readYaml } from '../yaml.ts'

/** A flow as a dialog's file shows it: texts in `blocks`, positions in `layout`, links in the order of their ends. */
interface FlowSections {
  readonly blocks: JsonObject
  readonly links: readonly JsonObject[]
  readonly layout: JsonObject
}

/** A flow of the API or of a file, before it is checked. */
interface LooseFlow {
  readonly operators: { readonly [id: string]: FlowOperator }
  readonly links: { readonly [id: string]: FlowLink }
}

const inOrder = <T>(entries: Iterable<readonly [string, T]>): [string, T][] =>
  [...entries].map(([key, value]): [string, T] => [key, value]).sort(([one], [other]) => (one < other ? -1 : 1))

/** Members of a list stay in their order, also where the file has them as an object. */
const orderedValue = (field: BlockField | undefined, value: Json): Json => {
  if (field?.kind === 'group' && isObject(value)) return orderedMembers(field.fields, value)
  if (field?.kind === 'list' && Array.isArray(value))
    return (value as readonly Json[]).map(item => (isObject(item) ? orderedMembers(field.item, item) : item))
  return value
}

const orderedMembers = (fields: BlockFields, members: JsonObject): JsonObject =>
  record(inOrder(Object.entries(members)).map(([name, value]) => [name, orderedValue(own(fields, name), value)]))

const HEAD = ['type', 'title'] as const
const PLACE = ['top', 'left'] as const
const isApart = (name: string) => [...HEAD, ...PLACE, 'properties'].includes(name)

const chosen = (operator: FlowOperator, names: readonly string[]): [string, Json][] =>
  names.flatMap(name => {
    const value = own(operator as JsonObject, name)
    return value === undefined ? [] : [[name, value]]
  })

const blockOfFile = (operator: FlowOperator): JsonObject => {
  const { type, properties } = operator
  const fields = (typeof type === 'string' ? blockOf(type)?.fields : undefined) ?? {}
  const more = inOrder(Object.entries(operator as JsonObject).filter(([name]) => !isApart(name)))
  const shown: [string, Json][] = properties === undefined ? [] : [['properties', orderedMembers(fields, properties)]]
  return record([...chosen(operator, HEAD), ...more, ...shown])
}

/** Members of a link, in this order; further ones follow. */
const LINK = ['fromOperator', 'fromConnector', 'fromSubConnector', 'toOperator', 'toConnector', 'toSubConnector']

const linkOfFile = (link: FlowLink): JsonObject => {
  const members = link as unknown as JsonObject
  const known = LINK.flatMap((name): [string, Json][] => {
    const value = own(members, name)
    return value === undefined ? [] : [[name, value]]
  })
  return record([...known, ...inOrder(Object.entries(members).filter(([name]) => !LINK.includes(name)))])
}

const sectionsOf = ({ operators, links }: LooseFlow): FlowSections => {
  const ordered = inOrder(Object.entries(operators))
  const written = Object.values(links).map(link => {
    const members = linkOfFile(link)
    return [JSON.stringify(Object.values(members)), members] as const
  })
  return {
    blocks: record(ordered.map(([id, operator]) => [id, blockOfFile(operator)])),
    links: inOrder(written).map(([, members]) => members),
    layout: record(
      ordered.flatMap(([id, operator]): [string, JsonObject][] => {
        const place = chosen(operator, PLACE)
        return place.length === 0 ? [] : [[id, record(place)]]
      }),
    ),
  }
}

/** The flow of a file's sections, unchecked: `parseFlowFile` reads it. A block without a position is at 0, 0. */
const flowOf = ({ blocks, links, layout }: Readonly<Record<keyof FlowSections, unknown>>): JsonObject => {
  const places = isObject(layout) ? layout : {}
  const operators = isObject(blocks)
    ? record(
        Object.entries(blocks).map(([id, block]): [string, Json] => {
          const place = own(places, id)
          return [id, isObject(block) && isObject(place) ? { ...block, ...place } : block]
        }),
      )
    : {}
  const listed = Array.isArray(links) ? (links as readonly Json[]) : []
  return { operators, links: record(listed.map((link, index): [string, Json] => [String(index), link])) }
}

/** Entities of a bot's folder. Each is written before those that come after it may name it. */
export const FOLDER_ENTITIES = [bot, variableschema, variable, dialogtask, dialog, handler, conversationtest] as const
export type FolderEntity = (typeof FOLDER_ENTITIES)[number]['name']

const DECLARED = new Map<string, EntityDeclaration>(FOLDER_ENTITIES.map(entity => [entity.name, entity]))
export const declarationOf = (entity: FolderEntity): EntityDeclaration => DECLARED.get(entity) ?? bot

/** One thing of a bot, as its file has it. */
export interface BotThing {
  readonly entity: FolderEntity
  /** Absent in a file that was written by hand for something new. */
  readonly id?: string
  /** The task of a dialog or handler. */
  readonly task?: string
  /** Values set by people, without those that are null. */
  readonly fields: JsonObject
  readonly flow?: FlowFile
  /** A handler's code. */
  readonly js?: string
}

/** Fields in a file: values that people set and that do not belong to the environment of the bot. */
export const folderFields = (entity: FolderEntity): readonly string[] => {
  const declaration = declarationOf(entity)
  return versionFields(declaration).filter(
    name => declaration.fields[name]?.perEnvironment !== true && name !== parentField(declaration),
  )
}

export const nameOf = ({ entity, fields }: BotThing): string => String(fields[declarationOf(entity).title] ?? '')

/** The fields of a row of the API that the folder has. */
export const fieldsOfRow = (entity: FolderEntity, row: { readonly [name: string]: unknown }): JsonObject =>
  record(
    folderFields(entity).flatMap((name): [string, Json][] => {
      const value = own(row, name) as Json | undefined
      return value === undefined || value === null ? [] : [[name, value]]
    }),
  )

/** Version of the folder's format, in the file of the bot. */
const FOLDER_FORMAT = 'parley-bot'
const FOLDER_VERSION = 1

/** On one line each, so that a moved block changes one line. */
const inline = (node: unknown): void => {
  for (const item of isMap(node) || isSeq(node) ? node.items : []) {
    const value = (isMap(node) ? (item as { value: unknown }).value : item) as Node | null
    if (isMap(value) || isSeq(value)) value.flow = true
  }
}

/** The thing as the text of its file: equal things give equal texts. */
export const fileOfThing = ({ entity, id, fields, flow, js }: BotThing): string => {
  const head = entity === 'bot' ? { format: FOLDER_FORMAT, version: FOLDER_VERSION } : {}
  const sections = flow === undefined ? {} : sectionsOf(flow)
  const ordered = folderFields(entity).flatMap((name): [string, Json][] => {
    const value = own(fields, name)
    return value === undefined ? [] : [[name, value]]
  })
  const content = { ...head, ...(id === undefined ? {} : { id }), ...record(ordered) }
  const whole = { ...content, ...(js === undefined ? {} : { js }), ...sections }
  const document = new Document(whole, { aliasDuplicateObjects: false, version: '1.2', schema: 'core' })
  for (const section of ['links', 'layout']) if (flow !== undefined) inline(document.get(section))
  const text = document.toString({ lineWidth: 0, blockQuote: 'literal', flowCollectionPadding: true })
  return jsonEqual(readYaml(text).document.toJS({ maxAliasCount: 0 }) as Json, whole as unknown as Json)
    ? text
    : `${JSON.stringify(whole, null, 2)}\n`
}

/** A file that is none of the folder's format. The message is a line for people. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** @throws UnreadableFile that says where */
export const readThingFile = (entity: FolderEntity, text: string, task?: string): BotThing => {
  const content = contentOf(text)
  if (entity === 'bot' && (own(content, 'format') !== FOLDER_FORMAT || own(content, 'version') !== FOLDER_VERSION))
    throw new UnreadableFile(`must begin with format: ${FOLDER_FORMAT} and version: ${FOLDER_VERSION}`)
  const names = folderFields(entity)
  const isFlow = declarationOf(entity).flow !== undefined
  const further = ['id', ...(entity === 'bot' ? ['format', 'version'] : [])]
  const drawn = isFlow ? ['blocks', 'links', 'layout', ...(entity === 'handler' ? ['js'] : [])] : []
  const unknown = Object.keys(content).find(name => ![...names, ...further, ...drawn].includes(name))
  if (unknown !== undefined) throw new UnreadableFile(`has the member ${unknown}, which no ${entity} has`)
  const id = own(content, 'id')
  if (id !== undefined && (typeof id !== 'string' || !/^[\w-]{1,200}$/.test(id)))
    throw new UnreadableFile('has an id that is none')
  const set = Object.entries(content).filter(([name, value]) => names.includes(name) && value !== null)
  const js = own(content, 'js') ?? ''
  if (typeof js !== 'string') throw new UnreadableFile('has code in js that is no text')
  return {
    entity,
    ...(typeof id === 'string' ? { id } : {}),
    ...(task === undefined ? {} : { task }),
    fields: record(set),
    ...(isFlow ? { flow: flowIn(content) } : {}),
    ...(entity === 'handler' ? { js } : {}),
  }
}

const contentOf = (text: string): JsonObject => {
  const { document } = readYaml(text)
  const [error] = document.errors
  if (error !== undefined) throw new UnreadableFile(error.message.split('\n')[0]?.replace(/:$/, '') ?? 'is no YAML')
  let content: unknown
  try {
    content = document.toJS({ maxAliasCount: 0 })
  } catch (error) {
    throw new UnreadableFile(error instanceof Error ? error.message : 'is no YAML')
  }
  if (!isObject(content)) throw new UnreadableFile('must be a mapping')
  return content
}

const flowIn = (content: JsonObject): FlowFile => {
  const { blocks = {}, links = [], layout = {} } = content
  if (!isObject(blocks)) throw new UnreadableFile('blocks: must be a mapping of blocks by their ids')
  if (!Array.isArray(links)) throw new UnreadableFile('links: must be a list')
  if (!isObject(layout)) throw new UnreadableFile('layout: must be a mapping of positions by the ids of blocks')
  const read = parseFlowFile(flowOf({ blocks, links, layout }))
  if (read.ok) return read.file
  const [first] = read.errors
  throw new UnreadableFile(`${first?.path.replace(/^operators/, 'blocks')}: ${first?.message}`)
}

const MAX_SLUG = 60

/** Names of devices on Windows, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** A name as the name of a file, on every system. */
const slugOf = (name: string): string =>
  folded(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '')
    .replace(DEVICE, '$&_') || 'unnamed'

/** Place of each kind in the folder; dialogs and handlers are in the folder of their task. */
const FOLDERS = {
  variableschema: 'schemas',
  variable: 'variables',
  conversationtest: 'tests',
  dialogtask: 'tasks',
  dialog: 'dialogs',
  handler: 'handlers',
} as const satisfies Record<Exclude<FolderEntity, 'bot'>, string>

export const BOT_FILE = 'bot.yaml'
const TASK_FILE = 'task.yaml'

/** Names of files of one folder: a name that two of them would have gets the end of the id. */
const slugs = (things: readonly BotThing[]): ReadonlyMap<BotThing, string> => {
  const wanted = new Map(things.map(thing => [thing, slugOf(nameOf(thing))]))
  const times = Map.groupBy(things, thing => wanted.get(thing) ?? '')
  return new Map(
    things.map(thing => {
      const slug = wanted.get(thing) ?? ''
      const isAlone = (times.get(slug)?.length ?? 0) < 2
      const id = (thing.id ?? 'new').toLowerCase()
      const named = `${slug}-${id.slice(-8)}`
      // Another thing may have this as its own name, which has no `_`.
      return [thing, isAlone ? slug : times.has(named) ? `${slug}_${id}` : named]
    }),
  )
}

/** Paths of all things of a bot, with `/`. Names decide, so that a renamed dialog moves. */
export const pathsOf = (things: readonly BotThing[]): ReadonlyMap<BotThing, string> => {
  const paths = new Map<BotThing, string>()
  const within = (entity: keyof typeof FOLDERS, task?: string) =>
    slugs(things.filter(thing => thing.entity === entity && thing.task === task))
  for (const thing of things) if (thing.entity === 'bot') paths.set(thing, BOT_FILE)
  for (const entity of ['variableschema', 'variable', 'conversationtest'] as const)
    for (const [thing, slug] of within(entity)) paths.set(thing, `${FOLDERS[entity]}/${slug}.yaml`)
  for (const [task, slug] of within('dialogtask')) {
    const folder = `${FOLDERS.dialogtask}/${slug}`
    paths.set(task, `${folder}/${TASK_FILE}`)
    for (const entity of ['dialog', 'handler'] as const)
      for (const [thing, name] of within(entity, task.id)) paths.set(thing, `${folder}/${FOLDERS[entity]}/${name}.yaml`)
  }
  return paths
}

/** Kind of the thing in a file of this path, and the folder of its task; undefined for other files. */
export const kindOfPath = (path: string): { readonly entity: FolderEntity; readonly taskFile?: string } | undefined => {
  if (path === BOT_FILE) return { entity: 'bot' }
  const parts = path.split('/')
  const [top = '', slug = '', kind = ''] = parts
  if (!path.endsWith('.yaml')) return undefined
  if (parts.length === 2) {
    const entity = (['variableschema', 'variable', 'conversationtest'] as const).find(name => FOLDERS[name] === top)
    return entity && { entity }
  }
  if (top !== FOLDERS.dialogtask) return undefined
  if (parts.length === 3 && kind === TASK_FILE) return { entity: 'dialogtask' }
  const entity = (['dialog', 'handler'] as const).find(name => FOLDERS[name] === kind)
  return parts.length === 4 && entity !== undefined ? { entity, taskFile: `${top}/${slug}/${TASK_FILE}` } : undefined
}
