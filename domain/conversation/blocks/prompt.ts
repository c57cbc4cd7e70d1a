import { offeredChoices } from '#domain/flow/card/adaptive-card.ts'
import type { Json } from '#schemas/event.ts'
import { isObject, textAt } from '#schemas/json.ts'
import { readAnswer, wantedOf } from '../answer/read-answer.ts'
import { outputOfKept, readButton, withOutputs } from '../choice.ts'
import type { EvaluationJob, Steps } from '../effect.ts'
import { blockText, evaluateJobs, evaluateTogether, evaluateWords, richText } from '../evaluate.ts'
import { type AnswerPrompt, answerInputOf, choosableDays } from '../message.ts'
import { confirmKept, groupAt, isOptional, itemsAt, schemaOf, skipAction, takeAnswer, waitFrom } from '../question.ts'
import type { CompiledBlock } from '../release.ts'
import type { OfferedAction, Wait } from '../state.ts'
import { type BlockRuntime, leave, type Move, recordProblem, say, sayText, type Turn } from '../turn.ts'
import { readVariable } from '../variables.ts'

const kindOf = (block: CompiledBlock): string => textAt(groupAt(block.properties, 'data'), 'type') || 'text'

/** Code of the message that says what is wanted: by the validation, such as a CPF, else by the kind. */
const invalidOf = (turn: Turn, block: CompiledBlock): string => {
  const kind = kindOf(block)
  const validation = textAt(groupAt(block.properties, 'data'), 'validationType').toLowerCase()
  const code = `prompt.invalid.${kind}.${validation}`
  return turn.settings.messages.has(code) ? code : `prompt.invalid.${kind}`
}

const isMasked = (block: CompiledBlock): boolean => {
  const data = groupAt(block.properties, 'data')
  return kindOf(block) === 'text' && data.textStyle === 'password'
}

const reply = (title: string, value: string, place: number): OfferedAction => ({
  id: String(place + 1),
  type: 'reply',
  title,
  value: value === '' ? title : value,
})

/** The options that are written in the block, their placeholders filled. */
function* writtenOptions(turn: Turn, block: CompiledBlock): Steps<readonly OfferedAction[]> {
  const options = itemsAt(groupAt(block.properties, 'data'), 'options').map(option =>
    typeof option === 'string' ? { label: option, value: '' } : isObject(option) ? option : {},
  )
  const texts = options.flatMap(({ label, value }, place) => [
    blockText(`data.options.${place}.label`, label),
    blockText(`data.options.${place}.value`, value),
  ])
  const words = yield* evaluateWords(turn, texts)
  return options
    .map((_, place) => reply((words[place * 2] ?? '').trim(), (words[place * 2 + 1] ?? '').trim(), place))
    .filter(({ title }) => title !== '')
}

/** The options that two rules take from a variable. */
function* dynamicOptions(turn: Turn, block: CompiledBlock): Steps<readonly OfferedAction[]> {
  const { properties } = block
  const input = readVariable(turn, textAt(properties, 'extractFromVariable')) ?? null
  const titleRule = textAt(properties, 'jsonPathRuleForTitleExtractor')
  const valueRule = textAt(properties, 'jsonPathRuleForValueExtractor')
  const rules = [titleRule, valueRule].filter(rule => rule.trim() !== '')
  const jobs = rules.map((text): EvaluationJob => ({ kind: 'path', text, parser: turn.settings.pathParser, input }))
  const outcomes = yield* evaluateJobs(turn, jobs)
  const select = (rule: string): readonly Json[] => {
    const outcome = outcomes[rules.indexOf(rule)]
    if (outcome?.ok !== true) {
      recordProblem(turn, `expression.${outcome?.fault ?? 'empty'}`, 'options')
      return []
    }
    return Array.isArray(outcome.value) ? outcome.value : outcome.value === null ? [] : [outcome.value]
  }
  return offeredChoices(input, titleRule, valueRule, select).map(({ title, value }, place) =>
    reply(title, value, place),
  )
}

/** Quick replies of the question: options of a choice, or suggestions of a model. */
function* optionsOf(turn: Turn, block: CompiledBlock): Steps<readonly OfferedAction[]> {
  const { properties } = block
  if (kindOf(block) === 'choice') {
    return yield* properties.isPromptDynamic === true ? dynamicOptions(turn, block) : writtenOptions(turn, block)
  }
  if (properties.enableSuggestedActions !== true) return []
  const suggested = turn.settings.responses.get(textAt(properties, 'intent')) ?? []
  return suggested.map((text, place) => reply(text, text, place))
}

/** Input control of the answer. */
const askedOf = (turn: Turn, block: CompiledBlock, options: number): AnswerPrompt => {
  const data = groupAt(block.properties, 'data')
  const calendar = kindOf(block) === 'time' ? textAt(data, 'dateExtractType') || 'date' : ''
  const days = calendar.startsWith('date') ? choosableDays(schemaOf(turn, block)) : undefined
  const style = textAt(groupAt(data, 'config'), 'listStyle') || 'auto'
  return {
    kind: kindOf(block),
    list: style === 'auto' ? (options > 3 ? 'list' : 'button') : style,
    mask: isMasked(block),
    skip: isOptional(block),
    unit: textAt(data, 'unit'),
    calendar,
    ...(days === undefined ? {} : { days }),
  }
}

/** It asks nothing and keeps nothing: it only waits, for what is then the input. */
const isSilent = (block: CompiledBlock): boolean => {
  const { properties } = block
  const data = groupAt(properties, 'data')
  const validation = textAt(data, 'validationType') || 'none'
  return (
    kindOf(block) === 'text' &&
    [textAt(data, 'text'), textAt(properties, 'varname')].every(text => text.trim() === '') &&
    validation === 'none' &&
    properties.enableSuggestedActions !== true &&
    !isMasked(block) &&
    !isOptional(block)
  )
}

/**
 * Whether the previous step was the answer to a choice. Imported flows ask in one block and read the answer in the
 * next, a silent one: people cannot know that it waits for the same answer again.
 */
const isAnswered = (turn: Turn): boolean => {
  const last = turn.steps.at(-1)
  if (last === undefined || last.tries === undefined || last.unanswered !== undefined) return false
  const asked = turn.release.dialogs.get(last.dialog)?.blocks.get(last.block)
  return asked?.type === 'prompt' && kindOf(asked) === 'choice' && turn.said.length === 0
}

const questionOf = (turn: Turn, block: CompiledBlock): Steps<readonly string[]> =>
  evaluateWords(turn, [richText('data.text', groupAt(block.properties, 'data').text)])

/** Options and question at once. */
const askedFor = (turn: Turn, block: CompiledBlock) =>
  evaluateTogether<[readonly OfferedAction[], readonly string[]]>(optionsOf(turn, block), questionOf(turn, block))

/** Asks, with the options that were offered before where it is asked again. */
function* ask(
  turn: Turn,
  block: CompiledBlock,
  options: readonly OfferedAction[],
  tries: number,
  instead?: string,
): Steps<Move> {
  const kind = kindOf(block)
  const [written = ''] = instead === undefined ? yield* questionOf(turn, block) : []
  const text = instead ?? written
  const confirm: readonly OfferedAction[] =
    kind === 'confirm'
      ? [
          { id: 'yes', type: 'affirm', title: turn.settings.messages.get('prompt.yes') ?? 'prompt.yes', value: 'true' },
          { id: 'no', type: 'deny', title: turn.settings.messages.get('prompt.no') ?? 'prompt.no', value: 'false' },
        ]
      : []
  const offered = withOutputs(block, [...options, ...confirm, ...(isOptional(block) ? [skipAction(turn)] : [])])
  const asks = askedOf(turn, block, options.length)
  if (text.trim() !== '' || offered.length > 0) {
    sayText(turn, text, { actions: offered, asks })
  } else if (asks.mask || asks.calendar !== '' || kind === 'location' || kind === 'attachment') {
    say(turn, { type: 'text', text: '' }, { asks })
  }
  return { kind: 'wait', wait: waitFrom(turn, block, { kind, offered, tries, masked: isMasked(block) }) }
}

const optionsIn = (wait: Wait): readonly OfferedAction[] => wait.offered.filter(({ type }) => type === 'reply')

/** A question and its answer. */
export const prompt: BlockRuntime = {
  *run(turn, block) {
    const kept = yield* confirmKept(turn, block, kindOf(block))
    if (kept !== undefined) return kept
    if (isSilent(block) && isAnswered(turn)) return leave()
    const [options, [question = '']] = yield* askedFor(turn, block)
    if (kindOf(block) === 'choice' && options.length === 0) {
      recordProblem(turn, 'prompt.nooption')
      return leave('output_giveup')
    }
    return yield* ask(turn, block, options, 0, question)
  },

  read(turn, block, wait, input) {
    if (input.kind === 'choice' && input.action.type === 'skip') return { kind: 'skipped' }
    if (wait.confirming === true) {
      const confirmed = readAnswer(answerInputOf(input), { kind: 'confirm' }, placeOf(turn))
      if (confirmed.ok) return { kind: 'valid', value: confirmed.value }
    }
    const options = optionsIn(wait).map(({ title, value }) => ({ title, value }))
    const wanted = wantedOf(block.properties, { options, fuzzy: turn.settings.nlu.fuzzy })
    const answer = readAnswer(answerInputOf(input), wanted, placeOf(turn))
    if (!answer.ok) return { kind: 'invalid' }
    // Two options may have the same answer.
    const { out } = readButton(wait, input) ?? {}
    return { kind: 'valid', value: answer.value, ...(out === undefined ? {} : { out }) }
  },

  *take(turn, block, wait, reading) {
    if (wait.confirming === true && reading.kind === 'valid' && typeof reading.value === 'boolean') {
      if (reading.value) {
        return leave(outputOfKept(block, readVariable(turn, textAt(block.properties, 'varname')) ?? null))
      }
      const [options, [question = '']] = yield* askedFor(turn, block)
      return yield* ask(turn, block, options, 0, question)
    }
    // An option is the same input, whether it is pressed, written or named by its number.
    if (kindOf(block) === 'choice' && reading.kind === 'valid')
      turn.state = { ...turn.state, said: { ...turn.state.said, value: reading.value } }
    return yield* takeAnswer(turn, block, wait, reading, {
      invalid: invalidOf(turn, block),
      ask: (tries, text) => ask(turn, block, optionsIn(wait), tries, text),
    })
  },

  *again(turn, block, wait, why) {
    const retry = why === 'reminder' ? richText('retryPrompt', block.properties.retryPrompt) : undefined
    if (retry !== undefined && retry.text.trim() === '') {
      sayText(turn, turn.settings.messages.get('conversation.stillthere') ?? 'conversation.stillthere')
      return { kind: 'wait', wait }
    }
    const [text] = retry === undefined ? [] : yield* evaluateWords(turn, [retry])
    return yield* ask(turn, block, optionsIn(wait), wait.tries, text)
  },
}

const placeOf = (turn: Turn) => ({
  locale: turn.state.locale,
  now: turn.now,
  timezone: turn.settings.timezone,
})
