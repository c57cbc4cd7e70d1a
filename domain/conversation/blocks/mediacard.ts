import { textAt } from '#schemas/json.ts'
import { buttonsOf, cardRuntime, mediaOf } from '../card.ts'
import { evaluateTogether } from '../evaluate.ts'
import type { MediaContent } from '../message.ts'
import { groupAt, itemsAt } from '../question.ts'
import type { OfferedAction } from '../state.ts'
import { recordProblem, say } from '../turn.ts'

/** A picture, sound or film. */
export const mediacard = cardRuntime(function* (turn, { properties }, skip) {
  const kind = textAt(properties, 'mediaCardType') || 'Audio'
  const [media, actions] = yield* evaluateTogether<[MediaContent | undefined, readonly OfferedAction[]]>(
    mediaOf(turn, groupAt(properties, 'media'), kind, 'media'),
    buttonsOf(turn, itemsAt(properties, 'buttons'), 'buttons'),
  )
  if (media === undefined) {
    recordProblem(turn, 'missing.address', 'media.uri')
    return []
  }
  const offered = [...actions, ...skip]
  say(turn, { type: 'media', ...media }, { actions: offered })
  return offered
})
