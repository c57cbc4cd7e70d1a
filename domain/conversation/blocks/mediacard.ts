import { textAt } from '#schemas/json.ts'
import { buttonsOf, mediaOf } from '../card.ts'
import { evaluateTogether } from '../evaluate.ts'
import type { MediaContent } from '../message.ts'
import { groupAt, itemsAt } from '../question.ts'
import type { OfferedAction } from '../state.ts'
import { type BlockRuntime, leave, recordProblem, say } from '../turn.ts'

/** A picture, sound or film. */
export const mediacard: BlockRuntime = {
  *run(turn, { properties }) {
    const kind = textAt(properties, 'mediaCardType') || 'Audio'
    const [media, actions] = yield* evaluateTogether<[MediaContent | undefined, readonly OfferedAction[]]>(
      mediaOf(turn, groupAt(properties, 'media'), kind, 'media'),
      buttonsOf(turn, itemsAt(properties, 'buttons'), 'buttons'),
    )
    if (media === undefined) recordProblem(turn, 'missing.address', 'media.uri')
    else say(turn, { type: 'media', ...media }, { actions })
    return leave()
  },
}
