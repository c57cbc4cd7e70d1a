/** Used parts of the library, with the metadata of number kinds. */
declare module 'libphonenumber-js/max' {
  interface ParsedNumber {
    /** E.164. */
    readonly number: string
    /** ISO 3166. */
    readonly country?: string
    readonly nationalNumber: string
    readonly ext?: string
    isValid(): boolean
    /** `MOBILE`, `FIXED_LINE`, `TOLL_FREE` … */
    getType(): string | undefined
  }
  export const parsePhoneNumberFromString: (text: string, defaultCountry?: string) => ParsedNumber | undefined
  /** ISO 3166. */
  export const isSupportedCountry: (country: string) => boolean
}

/** Used parts of the library: typed cell values. */
declare module 'read-excel-file/universal' {
  interface ReadSheet {
    readonly sheet: string
    /** A sheet of charts has none. */
    readonly data?: readonly (readonly (string | number | boolean | Date | null)[])[]
  }
  const readWorkbook: (file: Blob) => Promise<readonly ReadSheet[]>
  export default readWorkbook
}

/** The parts of Jexl that parse: its own evaluator reads prototypes, so Parley evaluates what they make. */
declare module 'jexl/dist/grammar.js' {
  interface Element {
    readonly type: string
    readonly eval?: (...values: unknown[]) => unknown
  }
  export interface Grammar {
    readonly elements: Readonly<Record<string, Element>>
  }
  export const getGrammar: () => Grammar
}

declare module 'jexl/dist/Lexer.js' {
  import type { Grammar } from 'jexl/dist/grammar.js'

  export interface Token {
    readonly type: string
    readonly value: string | number | boolean
    readonly raw: string
  }
  export default class Lexer {
    constructor(grammar: Grammar)
    getElements(source: string): string[]
    getTokens(elements: readonly string[]): Token[]
  }
}

declare module 'jexl/dist/parser/Parser.js' {
  import type { Grammar } from 'jexl/dist/grammar.js'
  import type { Token } from 'jexl/dist/Lexer.js'

  export default class Parser {
    constructor(grammar: Grammar)
    addToken(token: Token): unknown
    /** Null where there was no token. */
    complete(): unknown
  }
}
