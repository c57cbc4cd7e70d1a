import { type BlockRuntime, leave } from '../block-runtime.ts'
import { buttonsOf, mediaOf } from '../card.ts'
import { groupAt, itemsAt, textAt } from '../question.ts'
import { say } from '../say.ts'
import { recordProblem } from '../turn.ts'

/** A picture, sound or film (RUNTIME 52). */
export const mediacard: BlockRuntime = {
  *run(turn, { properties }) {
    const kind = textAt(properties, 'mediaCardType') || 'Audio'
    const media = yield* mediaOf(turn, groupAt(properties, 'media'), kind, 'media')
    const actions = yield* buttonsOf(turn, itemsAt(properties, 'buttons'), 'buttons')
    if (media === undefined) recordProblem(turn, 'missing.address', 'media.uri')
    else say(turn, { type: 'media', ...media }, { actions })
    return leave()
  },
}
