import { loadWithCommands } from './commands.ts'
import { type Figure, rounded } from './figure.ts'
import { openDouble, turnCost } from './scale.ts'

/** A second: the double shares the cores. */
const COMMANDS = 200
const SECONDS = 6
const MOST = 2

const onOwnDouble = async <T>(work: (env: Record<string, string>) => Promise<T>): Promise<T> => {
  await using open = new AsyncDisposableStack()
  const { env } = await openDouble(open)
  return await work(env)
}

const figure = (what: string, double: number, embedded: number, isWhole: boolean): Figure => ({
  id: 'P14',
  what: `${what}, one node on the double of EventStoreDB: processor time of the gateway, of the embedded store`,
  measured: `${rounded(double / embedded, 2)}× (${rounded(double, 2)} of ${rounded(embedded, 2)} ms)`,
  target: `≤ ${MOST}×`,
  met: isWhole && double <= MOST * embedded,
  detail: { double: rounded(double, 3), embedded: rounded(embedded, 3) },
})

/** P14. */
export const onDouble = async (): Promise<readonly Figure[]> => {
  const load = { rate: COMMANDS, seconds: SECONDS }
  const commands = {
    embedded: await loadWithCommands(load),
    double: await onOwnDouble(env => loadWithCommands({ ...load, env })),
  }
  const turns = { embedded: await turnCost(1, {}), double: await onOwnDouble(env => turnCost(1, env)) }
  const isWhole = commands.embedded.isWhole && commands.double.isWhole
  return [
    figure(`command at ${COMMANDS}/s`, commands.double.work, commands.embedded.work, isWhole),
    figure('a turn with a GET and a POST, REST channel', turns.double.turn, turns.embedded.turn, true),
  ]
}
