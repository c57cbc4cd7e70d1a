import { entityOf, isEntityName } from '#schemas/entities/registry.ts'

/** View options of a page. Targets spell them differently and omit unsupported ones. */
interface AddressView {
  /** Bot of the page. */
  readonly bot?: string | undefined
  readonly history?: boolean
  /** Revision that the history opens at. */
  readonly at?: number
  /** Compares the revision `at` with the current flow. */
  readonly compare?: 'now' | number
  /** Block of a flow that is selected. */
  readonly block?: string | undefined
  /** Comment of a flow that is opened. */
  readonly comment?: string | undefined
  /** In test mode, unless in its history. */
  readonly test?: boolean
}

/** Query parameters of the designer. Its history has one name in the address, a form's history another one. */
export const DESIGNER_QUERY = {
  mode: 'mode',
  history: 'history',
  test: 'test',
  funnel: 'funnel',
  at: 'at',
  compare: 'compare',
  block: 'block',
  comment: 'comment',
  from: 'from',
  turn: 'turn',
  step: 'step',
} as const
export const FORM_QUERY = { history: 'history', at: 'at', edit: 'edit' } as const
export const BOT_QUERY = 'pid'

const withQuery = (path: string, query: Readonly<Record<string, string | number | undefined>>): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}${search}`
}

const wantsHistory = ({ history, at }: AddressView) => history === true || at !== undefined

/** A flow in the designer. */
export const flowAddress = (kind: 'dialog' | 'handler', id: string, view: AddressView = {}): string =>
  withQuery(`/designer/${kind}/${id}`, {
    [BOT_QUERY]: view.bot,
    [DESIGNER_QUERY.mode]: wantsHistory(view) ? DESIGNER_QUERY.history : view.test ? DESIGNER_QUERY.test : undefined,
    [DESIGNER_QUERY.at]: view.at,
    [DESIGNER_QUERY.compare]: view.compare,
    [DESIGNER_QUERY.block]: view.block,
    [DESIGNER_QUERY.comment]: view.comment,
  })

/** A conversation in the flows that it ran; opens at `turn`, by default the last. */
export const replayAddress = (conversation: string, turn?: number): string =>
  withQuery(`/designer/conversation/${conversation}`, { [DESIGNER_QUERY.turn]: turn })

interface RehearsalPlace {
  readonly bot: string
  readonly dialog: string | undefined
  readonly group?: number | undefined
}

/** Changes by a draft in recorded conversations, on the canvas of one of its dialogs. */
export const rehearsalAddress = (rehearsal: string, { bot, dialog, group }: RehearsalPlace): string =>
  withQuery(`/designer/rehearsal/${rehearsal}`, { bot, dialog, group })

/** Log of a bot, narrowed to one service; that of a channel is named by its type and id. */
export const logAddress = (bot: string, service: string): string =>
  withQuery(`/bot/settings/botlogs/${bot}`, { service })

interface TestMoment {
  readonly bot: string
  readonly conversation: string
  /** Both counted from 1. */
  readonly turn: number
  readonly step: number
}

/** A dialog in test mode, from a moment of a conversation on. */
export const testFromAddress = (dialog: string, { bot, conversation, turn, step }: TestMoment): string =>
  withQuery(`/designer/dialog/${dialog}`, {
    [BOT_QUERY]: bot,
    [DESIGNER_QUERY.mode]: DESIGNER_QUERY.test,
    [DESIGNER_QUERY.from]: conversation,
    [DESIGNER_QUERY.turn]: turn,
    [DESIGNER_QUERY.step]: step,
  })

/** A generated form, by the path of its page. */
export const formAddress = (path: string, view: AddressView & { readonly edit?: boolean } = {}): string =>
  withQuery(path, {
    [FORM_QUERY.edit]: view.edit ? 1 : undefined,
    [BOT_QUERY]: view.bot,
    [FORM_QUERY.history]: wantsHistory(view) ? 1 : undefined,
    [FORM_QUERY.at]: view.at,
  })

const hasPage = (entity: string): boolean => isEntityName(entity) && entityOf(entity).place?.hidden !== true

/** Address of an entity's page; undefined without a page, or without a history if requested. */
export const addressOf = (entity: string, id: string, view: AddressView = {}): string | undefined => {
  switch (entity) {
    case 'flow':
    case 'dialog':
      return flowAddress('dialog', id, view)
    case 'handler':
      return flowAddress('handler', id, view)
    case 'version':
      return wantsHistory(view) ? undefined : formAddress(`/version/${id}`, view)
    case 'hierarchy':
      return wantsHistory(view) ? formAddress(`/hierarchy/${id}`, view) : '/hierarchy'
    default:
      return hasPage(entity) ? formAddress(`/${entity}/${id}`, view) : undefined
  }
}
