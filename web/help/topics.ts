import { useTranslation } from 'react-i18next'
import { matchPath } from 'react-router'
import { type BlockType, blockOf, blocks } from '#schemas/blocks/registry.ts'
import { ENTITIES, type EntityName, isEntityName } from '#schemas/entities/registry.ts'
import { folded } from '#schemas/fold-text.ts'
import { useLabel } from '../entity/label.ts'

/** Topics of pages, each with those that it leads to. Texts: `topic.<id>` of help.json. */
const RELATED = {
  start: ['bots', 'designer', 'lists'],
  inspire: ['start'],
  lists: ['forms'],
  forms: ['lists'],
  bots: ['newbot', 'bot', 'lists'],
  newbot: ['tasks', 'designer'],
  bot: ['channels', 'tasks', 'insight'],
  tasks: ['designer', 'variables'],
  designer: ['designertest', 'timetravel', 'variables'],
  designertest: ['tests', 'designer'],
  funnel: ['insight', 'replay'],
  timetravel: ['versions', 'designer'],
  replay: ['conversations', 'designertest'],
  rehearsal: ['tests', 'designer'],
  versions: ['timetravel', 'bot'],
  variables: ['designer', 'jsonpath'],
  channels: ['bot', 'conversations'],
  messages: ['designer'],
  conversations: ['replay', 'insight'],
  insight: ['conversations', 'funnel', 'deskmetrics'],
  logs: ['services', 'channels'],
  services: ['logs', 'bot'],
  tests: ['designertest', 'rehearsal'],
  settings: ['lists', 'forms'],
  nlu: ['training', 'unrecognized', 'brain'],
  training: ['nlu', 'unrecognized'],
  unrecognized: ['nlu', 'training'],
  brain: ['training', 'nlu'],
  campaigns: ['campaigncreate', 'templates', 'simulatednumber'],
  campaigncreate: ['contacts', 'templates'],
  contacts: ['suppression', 'campaigns'],
  templates: ['campaigns', 'senders'],
  senders: ['simulatednumber', 'templates'],
  simulatednumber: ['campaigns'],
  suppression: ['contacts', 'campaigns'],
  desk: ['queues', 'deskmetrics'],
  deskmetrics: ['desk', 'insight'],
  queues: ['desk', 'channels'],
  dashboard: ['audit', 'insight'],
  reports: ['insight', 'dashboard'],
  audit: ['forms', 'people'],
  people: ['levels', 'audit', 'provisioning'],
  levels: ['people'],
  access: ['people', 'account', 'provisioning'],
  provisioning: ['people', 'access'],
  account: ['people', 'access'],
  jsonpath: ['variables'],
  files: ['templates'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type PageTopic = keyof typeof RELATED

/** Addresses of pages with their topic; the first that fits counts. */
const PAGES: readonly (readonly [path: string, topic: PageTopic])[] = [
  ['/', 'start'],
  ['/inspire', 'inspire'],
  ['/admin', 'settings'],
  ['/appsettings/search', 'settings'],
  ['/nlu/search', 'nlu'],
  ['/campaignmanagement/search', 'campaigns'],
  ['/campaignmanagement/channel/app/campaign/search', 'campaigns'],
  ['/campaignmanagement/channel/app/template/*', 'templates'],
  ['/campaignmanagement/channel/*', 'senders'],
  ['/campaignmanagement/phone/*', 'simulatednumber'],
  ['/campaignmanagement/suppression', 'suppression'],
  ['/campaignmanagement/contact/*', 'contacts'],
  ['/campaignmanagement/campaign/create', 'campaigncreate'],
  ['/campaign', 'campaigncreate'],
  ['/campaign/new', 'campaigncreate'],
  ['/bot/campaign/contact/*', 'contacts'],
  ['/bot/campaign/search', 'campaigns'],
  ['/meta/account/*', 'senders'],
  ['/audit', 'audit'],
  ['/audit/access', 'audit'],
  ['/access', 'access'],
  ['/account/tokens', 'access'],
  ['/password/passwordchange', 'account'],
  ['/account/*', 'account'],
  ['/dashboard/*', 'dashboard'],
  ['/desk/metrics', 'deskmetrics'],
  ['/desk', 'desk'],
  ['/reports', 'reports'],
  ['/bot/reports/:id', 'reports'],
  ['/bot/conversation/:id', 'conversations'],
  ['/bot/insight/:id', 'insight'],
  ['/bot/settings/botlogs/:id', 'logs'],
  ['/bot/settings/:group?', 'settings'],
  ['/tools/jsonpathonline', 'jsonpath'],
  ['/tools/uploadfiletocloud', 'files'],
  ['/brain/training/:id', 'training'],
  ['/brain/testnlu/:id', 'training'],
  ['/nluproject/training/:id', 'training'],
  ['/nluproject/testnlu/:id', 'training'],
  ['/nluproject/unrecognized/:id', 'unrecognized'],
  ['/agentchannel/queue/:id', 'queues'],
  ['/designer/conversation/:id', 'replay'],
  ['/designer/rehearsal/:id', 'rehearsal'],
  ['/designer/:kind/:id', 'designer'],
  ['/dialogtask/designer/*', 'designer'],
  ['/bot/search', 'bots'],
  ['/bot', 'newbot'],
  ['/bot/new', 'newbot'],
]

/** Topics of entities whose pages have texts beyond their purpose. */
const ENTITY_TOPICS: Partial<Readonly<Record<EntityName, PageTopic>>> = {
  bot: 'bot',
  botservice: 'services',
  botspecificlocalemessage: 'messages',
  brain: 'brain',
  campaign: 'campaigns',
  channel: 'channels',
  cloudfile: 'files',
  contactlist: 'contacts',
  conversationtest: 'tests',
  deskqueue: 'queues',
  dialogtask: 'tasks',
  hierarchy: 'levels',
  localemessage: 'messages',
  metaaccount: 'senders',
  metaapp: 'senders',
  nluproject: 'nlu',
  template: 'templates',
  user: 'people',
  variable: 'variables',
  version: 'versions',
}

/** Topics that say more about the other entities. */
const ENTITY_RELATED: Partial<Readonly<Record<EntityName, PageTopic>>> = {
  agentchannel: 'queues',
  apitoken: 'access',
  campaignupload: 'contacts',
  campaignuploadprofile: 'contacts',
  cannedanswer: 'desk',
  chatinterface: 'channels',
  deskagent: 'queues',
  desksetting: 'queues',
  dialog: 'tasks',
  entityvaluepair: 'nlu',
  globalvariable: 'variables',
  handler: 'tasks',
  identityprovider: 'people',
  intent: 'nlu',
  intentgroup: 'nlu',
  intentmapping: 'nlu',
  metricalert: 'insight',
  nluintent: 'brain',
  nluprojectentity: 'nlu',
  nlusettings: 'nlu',
  optoutsetting: 'suppression',
  pricelist: 'campaigns',
  regex: 'nlu',
  report: 'reports',
  reportgroup: 'reports',
  role: 'people',
  segment: 'contacts',
  serviceaccount: 'access',
  story: 'nlu',
  synonym: 'nlu',
  theme: 'channels',
  usergroup: 'people',
  variableschema: 'variables',
  webhook: 'access',
}

/** Page of a topic, where it has one without an id. */
const ADDRESS: Partial<Readonly<Record<PageTopic, string>>> = {
  start: '/',
  inspire: '/inspire',
  bots: '/bot/search',
  nlu: '/nlu/search',
  campaigns: '/campaignmanagement/search',
  suppression: '/campaignmanagement/suppression',
  desk: '/desk',
  dashboard: '/dashboard',
  reports: '/reports',
  audit: '/audit',
  people: '/user/search',
  levels: '/hierarchy',
  access: '/access',
  jsonpath: '/tools/jsonpathonline',
  files: '/tools/uploadfiletocloud',
  account: '/account/sessions',
}

/** A topic of a page (`desk`), of an entity (`entity:synonym`) or of a block (`block:prompt`). */
export type Topic =
  | { readonly kind: 'page'; readonly id: PageTopic; readonly to?: string | undefined }
  | { readonly kind: 'entity'; readonly id: EntityName }
  | { readonly kind: 'block'; readonly id: string }

const isPageTopic = (id: string): id is PageTopic => Object.hasOwn(RELATED, id)

export const readTopic = (name: string | undefined): Topic | undefined => {
  const [kind = '', id = ''] = name?.split(':') ?? []
  if (kind === 'block') return blockOf(id) === undefined ? undefined : { kind, id }
  if (kind === 'entity') return isEntityName(id) ? topicOfEntity(id) : undefined
  return isPageTopic(kind) ? { kind: 'page', id: kind, to: ADDRESS[kind] } : undefined
}

const nameOfTopic = ({ kind, id }: Topic): string => (kind === 'page' ? id : `${kind}:${id}`)

const topicOfEntity = (name: EntityName): Topic => {
  const id = ENTITY_TOPICS[name]
  return id === undefined ? { kind: 'entity', id: name } : { kind: 'page', id, to: ADDRESS[id] }
}

/** The topic of an address; undefined where no page of the console is. */
export const topicAt = (path: string): Topic | undefined => {
  const page = PAGES.find(([pattern]) => matchPath(pattern, path) !== null)
  if (page !== undefined) return readTopic(page[1])
  const [first = '', second = '', third = ''] = path.split('/').slice(1)
  const inBot = first === 'bot' ? [second === 'settings' ? third : second] : []
  const entity = [...inBot, first].find(isEntityName)
  return entity === undefined ? undefined : topicOfEntity(entity)
}

export const relatedTopics = ({ kind, id }: Topic): readonly PageTopic[] => {
  if (kind === 'page') return RELATED[id]
  if (kind === 'block') return ['designer', 'variables']
  const more = ENTITY_RELATED[id]
  return [...(more === undefined ? [] : [more]), 'lists', 'forms']
}

export const PAGE_TOPICS = Object.keys(RELATED).filter(isPageTopic)
/** Entities whose topic is made of their purpose. */
const entityTopics = (names: readonly EntityName[]): readonly EntityName[] =>
  names.filter(name => ENTITY_TOPICS[name] === undefined)

export interface Article {
  readonly name: string
  readonly title: string
  readonly paragraphs: readonly string[]
  readonly steps: readonly string[]
}

const linesOf = (text: string) => text.split('\n').filter(line => line !== '')

/**
 * Texts of a topic: written for pages, the purpose of entities, the palette's description of blocks with a hint. The
 * purpose is left out unless `isWhole`, because it loads all texts of an entity.
 */
export const useArticle = (): ((topic: Topic, isWhole?: boolean) => Article) => {
  const { t } = useTranslation(['help', 'block'], { useSuspense: false })
  const label = useLabel()
  return (topic, isWhole = true) => {
    const name = nameOfTopic(topic)
    const { kind, id } = topic
    if (kind === 'block')
      return {
        name,
        title: t(`block:type.${id}`),
        paragraphs: [`${t(`block:description.${id}`)}.`, t(`help:block.${id}`)],
        steps: [],
      }
    if (kind === 'entity')
      return { name, title: label.plural(id), paragraphs: isWhole ? linesOf(label.purpose(id) ?? '') : [], steps: [] }
    return {
      name,
      title: t(`help:topic.${id}.title`),
      paragraphs: linesOf(t(`help:topic.${id}.text`)),
      steps: linesOf(t(`help:topic.${id}.steps`, { defaultValue: '' })),
    }
  }
}

const BLOCKS = Object.keys(blocks) as readonly BlockType[]

/** Every topic, pages first. */
export const ALL_TOPICS: readonly Topic[] = [
  ...PAGE_TOPICS.map(id => ({ kind: 'page', id }) as const),
  ...BLOCKS.map(id => ({ kind: 'block', id }) as const),
  ...entityTopics(Object.keys(ENTITIES) as readonly EntityName[]).map(id => ({ kind: 'entity', id }) as const),
]

/** Articles with every word, those with all in their title first. */
export const findArticles = (articles: readonly Article[], search: string): readonly Article[] => {
  const words = folded(search.trim()).split(/\s+/u)
  const has = (text: string) => words.every(word => folded(text).includes(word))
  const titled = articles.filter(({ title }) => has(title))
  const others = articles.filter(
    article => !titled.includes(article) && has([article.title, ...article.paragraphs, ...article.steps].join(' ')),
  )
  return [...titled, ...others]
}
