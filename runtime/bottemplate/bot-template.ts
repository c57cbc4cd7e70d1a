import type { Json } from '#schemas/event.ts'
import type { Language } from '#schemas/language.ts'
import { type Piece, type Section, type Sketch, sketch } from '../sample/sketch.ts'

/** Title of a block, and its text. */
type Line = readonly [title: string, text: string]

export const line = (title: string, text: string): Line => [title, text]

/** Texts that every template has. */
interface Named {
  readonly name: string
  readonly description: string
  readonly segment: string
  /** Title of its task and of its dialog. */
  readonly task: string
}

/** Texts that the templates share. */
interface Common {
  readonly start: string
  readonly end: string
  readonly yesno: readonly [yes: string, no: string]
  /** Answer to a text that is no e-mail address. */
  readonly notEmail: string
}

const COMMON: Readonly<Record<Language, Common>> = {
  pt: { start: 'Início', end: 'Fim', yesno: ['Sim', 'Não'], notEmail: 'Um e-mail é assim: nome@exemplo.com' },
  en: {
    start: 'Start',
    end: 'End',
    yesno: ['Yes', 'No'],
    notEmail: 'An e-mail address looks like this: name@example.com',
  },
  es: { start: 'Inicio', end: 'Fin', yesno: ['Sí', 'No'], notEmail: 'Un correo se escribe así: nombre@ejemplo.com' },
}

/** A step of a conversation test (docs/api-runtime.md). */
type TestStep = Readonly<Record<string, Json>>

interface TemplateTest {
  readonly name: string
  readonly steps: readonly TestStep[]
  readonly stubs?: readonly Json[]
}

/** A whole bot to begin from, in one language. */
interface WrittenTemplate extends Named {
  readonly sketch: Sketch
  readonly tests: readonly TemplateTest[]
}

/** A whole bot to begin from. */
export interface BotTemplate {
  readonly key: string
  /** Name and data type of its variables. */
  readonly variables: readonly (readonly [name: string, datatype: 'string' | 'number' | 'object'])[]
  write(language: Language): WrittenTemplate
}

interface TemplateSource<W extends Named> {
  readonly key: string
  readonly words: Readonly<Record<Language, W>>
  readonly variables: BotTemplate['variables']
  readonly flow: (words: Common & W) => Sketch
  readonly tests: (words: Common & W) => readonly TemplateTest[]
}

/** A template with a table of texts for each language. */
export const botTemplate = <W extends Named>({
  key,
  words,
  variables,
  flow,
  tests,
}: TemplateSource<W>): BotTemplate => ({
  key,
  variables,
  write(language) {
    const own = { ...COMMON[language], ...words[language] }
    return { ...own, sketch: flow(own), tests: tests(own) }
  },
})

export const section = (key: string, column: number, row: number, ...pieces: readonly Piece[]): Section => ({
  key,
  column,
  row,
  pieces,
})

/** The first section, from the start block on. */
export const opening = ({ start }: Pick<Common, 'start'>, ...pieces: readonly Piece[]): Section =>
  section('start', 1, 0, sketch.start(start), ...pieces)

/** The last section. */
export const ending = ({ end }: Pick<Common, 'end'>, column: number, row: number): Section =>
  section('end', column, row, sketch.end(end))

export const tell = ([title, text]: Line, to?: string): Piece => sketch.say(title, text, to)

/** A question; without an answer the flow ends. */
export const question = (
  [title, text]: Line,
  variable: string,
  more: NonNullable<Parameters<typeof sketch.ask>[3]> = {},
): Piece => sketch.ask(title, text, variable, { giveup: 'end', ...more })

/** Branches of a choice: options of a variable and the sections that they lead to. Others lead to `otherwise`. */
export const ways = (
  title: string,
  variable: string,
  to: readonly (readonly [option: string, section: string])[],
  otherwise?: string,
): Piece =>
  sketch.branch(
    title,
    to.map(([label, key]) => ({ label, variable, values: [label], to: key })),
    otherwise,
  )

/** Options that a channel shows as buttons, at most: the limit of WhatsApp. */
const MAX_BUTTONS = 3

/** A question with options, and the section of each; the last section is also that of all others. */
export const choice = (
  asked: Line,
  variable: string,
  options: readonly string[],
  to: readonly string[],
  title = asked[0],
): readonly Piece[] => [
  question(asked, variable, { options, style: options.length > MAX_BUTTONS ? 'list' : 'button' }),
  ways(
    title,
    variable,
    to.slice(0, -1).map((key, place) => [options[place] ?? '', key]),
    to.at(-1),
  ),
]
