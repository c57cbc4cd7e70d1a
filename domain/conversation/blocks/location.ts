import type { Json } from '#schemas/event.ts'
import { textAt } from '#schemas/json.ts'
import { readAnswer } from '../answer/read-answer.ts'
import { blockText, evaluateTexts, shownText } from '../evaluate.ts'
import { answerInputOf } from '../message.ts'
import { takeAnswer, waitFrom } from '../question.ts'
import type { CompiledBlock } from '../release.ts'
import { type BlockRuntime, leave, type Move, messageText, say, sayMessage, type Turn } from '../turn.ts'
import { assignVariable } from '../variables.ts'

const ASKS = { kind: 'location', list: '', mask: false, skip: false, unit: '', calendar: '' }

const ask = (turn: Turn, block: CompiledBlock, tries: number, text?: string): Move => {
  say(turn, { type: 'text', text: text ?? messageText(turn, 'prompt.location') }, { asks: ASKS })
  return { kind: 'wait', wait: waitFrom(turn, block, { kind: 'location', offered: [], tries }) }
}

const coordinate = (value: Json | undefined): number | null => {
  const number = typeof value === 'number' ? value : Number(shownText(value).replace(',', '.') || Number.NaN)
  return Number.isFinite(number) ? number : null
}

/** Sends a place, or asks for one. */
export const location: BlockRuntime = {
  *run(turn, block) {
    const { properties } = block
    const name = textAt(properties, 'varname')
    const fields = ['address', 'latitude', 'longitude'].map(field => blockText(field, properties[field]))
    const [address, lat, long] = yield* evaluateTexts(turn, fields)
    const [latitude, longitude] = [coordinate(lat), coordinate(long)]
    const words = shownText(address).trim()
    if (words === '' && (latitude === null || longitude === null)) return name === '' ? leave() : ask(turn, block, 0)
    say(turn, { type: 'location', address: words, latitude, longitude })
    const geo = latitude === null || longitude === null ? {} : { geo: { latitude, longitude, type: 'GeoCoordinates' } }
    if (name !== '') assignVariable(turn, name, { type: 'Place', address: words, ...geo })
    return leave()
  },

  read(turn, _block, _wait, input) {
    const at = { locale: turn.state.locale, now: turn.now, timezone: turn.settings.timezone }
    const answer = readAnswer(answerInputOf(input), { kind: 'location' }, at)
    return answer.ok ? { kind: 'valid', value: answer.value } : { kind: 'invalid' }
  },

  *take(turn, block, wait, reading) {
    return yield* takeAnswer(turn, block, wait, reading, {
      invalid: 'prompt.invalid.location',
      ask(tries, text) {
        return ask(turn, block, tries, text)
      },
    })
  },

  again(turn, block, wait, why) {
    if (why === 'resumed') return ask(turn, block, wait.tries)
    sayMessage(turn, 'conversation.stillthere')
    return { kind: 'wait', wait }
  },
}
