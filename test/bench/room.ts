import { drive, EDITORS, PER_SECOND, type Run } from './drive-room.ts'
import { type Figure, median, type QuickFigure, quantile, ROUNDS, rounded } from './figure.ts'
import { hasRivals } from './rival.ts'
import { bareRelay, hocuspocus, parley, type RoomServer, yWebsocket } from './room-server.ts'

const through = async (start: () => Promise<RoomServer>): Promise<Run> => {
  const server = await start()
  try {
    return await drive(server)
  } finally {
    await server.stop()
  }
}

const processor = (runs: readonly Run[]) => median(runs.map(({ cpu }) => cpu))
const latency = (runs: readonly Run[]) => median(runs.map(({ p99 }) => p99))

/** P4 and P5. */
export const room = async (): Promise<readonly Figure[]> => {
  const isInstalled = hasRivals()
  const relays: Run[] = []
  const rooms: Run[] = []
  const hocuspocusRuns: Run[] = []
  const yWebsocketRuns: Run[] = []
  for (let round = 0; round < ROUNDS; round++) {
    relays.push(await through(bareRelay))
    rooms.push(await through(parley))
    if (!isInstalled) continue
    hocuspocusRuns.push(await through(hocuspocus))
    yWebsocketRuns.push(await through(yWebsocket))
  }
  const ratio = median(rooms.map((run, round) => run.cpu / (relays[round]?.cpu ?? Number.NaN)))
  const saved = quantile(
    rooms.flatMap(run => run.saved),
    0.95,
  )
  return [
    {
      id: 'P4',
      what: `one room, ${EDITORS} editors, ${PER_SECOND} messages/s: processor time of a bare relay's`,
      measured: `${rounded(ratio, 2)}× (${rounded(processor(rooms))} of ${rounded(processor(relays))} ms per 10,000)`,
      target: '≤ 1.3×',
      met: ratio <= 1.3,
      detail: { ratio: rounded(ratio, 3) },
    },
    {
      id: 'P4',
      what: 'the same room: p99 until an edit is shown',
      measured: `${rounded(latency(rooms))} ms (relay ${rounded(latency(relays))} ms)`,
      target: '≤ 6 ms',
      met: latency(rooms) <= 6,
      detail: { p99: rounded(latency(rooms)), relayP99: rounded(latency(relays)) },
    },
    besides('Hocuspocus', 0.85, rooms, hocuspocusRuns),
    besides("y-websocket 2's server", 0.95, rooms, yWebsocketRuns),
    {
      id: 'P5',
      what: '"saved" after an edit, the same room: p95',
      measured: `${rounded(saved)} ms`,
      target: '≤ 45 ms',
      met: saved <= 45,
      detail: { p95: rounded(saved) },
    },
  ]
}

/** Both store nothing, which counts in their favour. */
const besides = (name: string, most: number, rooms: readonly Run[], theirs: readonly Run[]): Figure => {
  const what = `the same room beside ${name}: processor time, and p99 until an edit is shown`
  const target = `≤ ${most}×, not behind`
  if (theirs.length === 0)
    return { id: 'P4', what, measured: 'could not be installed here', target, met: false, detail: {} }
  const [ours, other] = [processor(rooms), processor(theirs)]
  const [shown, otherShown] = [latency(rooms), latency(theirs)]
  return {
    id: 'P4',
    what,
    measured: `${rounded(ours / other, 2)}× (${rounded(ours)} of ${rounded(other)} ms per 10,000); ${rounded(shown)} of ${rounded(otherShown)} ms`,
    target,
    met: ours <= most * other && shown <= otherShown,
    detail: { cpu: rounded(ours), otherCpu: rounded(other), p99: rounded(shown), otherP99: rounded(otherShown) },
  }
}

/** P4 and P5 in half a minute. */
export const quickRoom = async (): Promise<readonly QuickFigure[]> => {
  const [relay, ours] = [await through(bareRelay), await through(parley)]
  const theirs: Readonly<Record<string, Run>> = hasRivals()
    ? { Hocuspocus: await through(hocuspocus), 'y-websocket': await through(yWebsocket) }
    : {}
  return [
    ...Object.entries({ 'a bare relay': relay, ...theirs }).map(([name, { cpu }]) => ({
      what: `processor time of an edit, of ${name}`,
      value: ours.cpu / cpu,
    })),
    { what: 'edit shown, p99, ms', value: ours.p99 },
    { what: '"saved" (P5), p95, ms', value: quantile(ours.saved, 0.95) },
  ]
}
