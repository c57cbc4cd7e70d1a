import type { SimulationMessage, SimulationView } from './use-simulation.ts'

type Action = SimulationMessage['actions'][number]

/** Whether an action is of an adaptive card itself, which draws it. */
export const isOfCard = ({ type }: { readonly type?: unknown }): boolean =>
  typeof type === 'string' && type.startsWith('Action.')

/** The actions that a block offers below a message. */
export const offeredActions = ({ actions }: SimulationMessage) =>
  actions.filter((action): action is Extract<Action, { readonly title: string }> => !isOfCard(action))

/** The message whose answer is waited for. */
export const lastQuestion = (view: SimulationView): SimulationMessage | undefined =>
  view.status === 'waiting' ? view.said.findLast(({ from }) => from === 'bot') : undefined
