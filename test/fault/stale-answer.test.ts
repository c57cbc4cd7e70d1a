import { expect, test } from 'vitest'
import { agreesWithOneNode } from './one-node.ts'
import { report, SEED, sizeOf, TIMEOUT_MS } from './size.ts'
import { runEpisode } from './stale-episode.ts'

const COMMANDS = sizeOf('R10', { short: 1500, full: 100_000 })
/** Commands about the same few things; then others are made. */
const EPISODE = 250

test(
  `gives the answer that one node alone would give when ${COMMANDS} commands reach three nodes`,
  async () => {
    const wrong: string[] = []
    const figures = { commands: 0, accepted: 0, 'accepted without an event': 0, refused: 0, repeated: 0, events: 0 }
    let orphaned = 0
    for (let seed = SEED * 10_000; figures.commands < COMMANDS; seed += 1) {
      const episode = await runEpisode(seed, EPISODE)
      for (const answered of episode.answers) {
        const { outcome, command, node } = answered
        figures.commands += 1
        if (!outcome.ok) figures.refused += 1
        else if (outcome.position === undefined) figures['accepted without an event'] += 1
        else figures.accepted += 1
        if (await agreesWithOneNode(episode, answered)) continue
        const { entity, action, correlation } = command
        wrong.push(`seed ${seed}, command ${correlation}, node ${node}: ${entity} ${action} ${JSON.stringify(outcome)}`)
      }
      for (const [first, again] of episode.repeats) expect(again).toMatchObject({ ...first, repeated: true })
      figures.repeated += episode.repeats.length
      figures.events += episode.log.events.length
      orphaned += episode.orphaned
    }
    report('R10', { ...figures, wrong: wrong.length })
    expect(wrong).toEqual([])
    expect(orphaned).toBe(0)
  },
  TIMEOUT_MS,
)
