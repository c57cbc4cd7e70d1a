import { type AnswerResult, INVALID, lineOf, valid } from './answer-result.ts'
import { comparable } from './choice-answer.ts'

/** Yes in English, Portuguese and Spanish, folded. */
const AFFIRM = [
  'yes|y|yes sir|yes i do|yes i am|yep|yup|yeah|yea|ok|okay|okey|sure|of course|certainly|absolutely|definitely|correct|right|true',
  'sounds good|go ahead|why not|agreed|confirm|confirmed|i agree|i do|i confirm|affirmative|thats right|all right|alright|i think so',
  'sim|s|ss|sm|si|sim senhor|sim senhora|claro|claro que sim|isso|isso mesmo|isso ai|certo|esta certo|ta certo',
  'correto|esta correto|exato|exatamente|pode|pode ser|pode sim|com certeza|sem duvida|confirmo|confirmado|confirmar',
  'concordo|aceito|quero|quero sim|eu quero|positivo|beleza|blz|ta|ta bom|ta ok|esta bem|tudo bem|uhum|aham|opa|bora',
  'fechado|perfeito|verdade|verdadeiro|de acordo|afirmativo|e sim|sim claro|acho que sim',
  'claro que si|por supuesto|desde luego|vale|correcto|exacto|asi es|eso es|esta bien|de acuerdo|dale|va|sale|seguro',
  'confirmado|quiero|si quiero|acepto|verdadero|como no|creo que si|perfecto|si claro|si senor|si senora|listo|bueno',
  '👍|✅|👌|✔|☑|🆗',
]
const DENY = [
  'no|n|nope|nah|nay|not|no way|never|not now|not yet|not really|not at all|of course not|false|incorrect|wrong|i do not',
  'i dont|dont|negative|no sir|i disagree|disagree|thats wrong|i dont think so',
  'nao|nn|naum|nao mesmo|quero nao|nops|nao senhor|nao senhora|nao quero|nao e|nao esta|claro que nao|de jeito nenhum|de forma alguma|jamais',
  'nunca|nem pensar|negativo|errado|esta errado|ta errado|incorreto|agora nao|ainda nao|por enquanto nao|nao pode',
  'nao concordo|nao aceito|nao confirmo|recuso|falso|nada|nada disso|melhor nao|acho que nao|discordo',
  'claro que no|de ninguna manera|de ningun modo|para nada|ni pensar|ni hablar|ahora no|todavia no|aun no|por ahora no',
  'no quiero|no acepto|no confirmo|no es|no esta|incorrecto|equivocado|mejor no|creo que no|rechazo|no senor|no senora',
  '👎|❌|✖|🚫',
]
/** Polite phrases beside an answer. */
const POLITE =
  /^(?:please|por favor|por gentileza|pf|pfv|pls|thanks|thank you|obrigado|obrigada|muito obrigado|muito obrigada|obg|valeu|gracias|muchas gracias)$/u

const wordsOf = (lists: readonly string[]): ReadonlySet<string> => new Set(lists.join('|').split('|'))
const YES = wordsOf(AFFIRM)
const NO = wordsOf(DENY)

/** "simmm" is "sim": no word of either has a letter three times. */
const withoutStretch = (text: string): string => text.replace(/(\p{L})\1{2,}/gu, '$1')

/** Words only: removes skin tones, apostrophes and separators. */
const plainWords = (text: string): string =>
  withoutStretch(comparable(text))
    .replace(/['’´`]|\p{Emoji_Modifier}/gu, '')
    .replace(/[^\p{L}\p{N}\p{So}]+/gu, ' ')
    .trim()

const sideOf = (phrase: string): boolean | undefined => {
  if (YES.has(phrase)) return true
  return NO.has(phrase) ? false : undefined
}

/** Phrases of a text, cut at every comma or similar sign. */
const phrasesOf = (line: string): readonly string[] =>
  line
    .split(/[,.;:!?\n]/u)
    .map(plainWords)
    .filter(phrase => phrase !== '' && !POLITE.test(phrase))

/** "sim sim" says it twice, "yes please" with manners, "sim 👍" with a sign beside it. */
const meaningOf = (phrase: string): boolean | undefined => {
  const whole = sideOf(phrase)
  if (whole !== undefined) return whole
  const words = phrase
    .replace(/(\p{So})/gu, ' $1 ')
    .trim()
    .split(/ +/u)
  for (let at = 1; at < words.length; at++) {
    const [before, after] = [words.slice(0, at).join(' '), words.slice(at).join(' ')]
    if (POLITE.test(after)) return sideOf(before)
    if (POLITE.test(before)) return sideOf(after)
  }
  const sides = new Set(words.map(sideOf))
  return sides.size === 1 ? [...sides][0] : undefined
}

/** Channels without buttons show yes and no as two numbered lines. */
const NUMBERED = /^[12][.)]?$/u

/** Yes or no by a word of three languages, or the value of a pressed button; unknown words and both at once are none. */
export const readConfirm = (said: string | boolean): AnswerResult<boolean> => {
  if (typeof said === 'boolean') return valid(said)
  const line = lineOf(said)
  const number = comparable(line)
  if (NUMBERED.test(number)) return valid(number.startsWith('1'))
  const sides = new Set(phrasesOf(line).map(meaningOf))
  const [side] = [...sides]
  return sides.size === 1 && side !== undefined ? valid(side) : INVALID
}
