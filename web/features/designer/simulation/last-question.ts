import type { SimulationMessage, SimulationView } from './use-simulation.ts'

/** The message whose answer is waited for. */
export const lastQuestion = (view: SimulationView): SimulationMessage | undefined =>
  view.status === 'waiting' ? view.said.findLast(({ from }) => from === 'bot') : undefined
