import type { Root } from 'mdast'
import { useEffect, useRef, useState } from 'react'

/** The parser needs quadratic time for some texts: after this one is shown as it was written. */
const PARSE_TIMEOUT_MS = 3000

interface ParsedMarkdown {
  readonly source: string
  /** Undefined for a text that cannot be parsed, or not in time. */
  readonly tree: Root | undefined
}

interface Parser {
  parse(source: string): void
  end(): void
}

/** Parses beside the page, one text at a time: of those that come meanwhile only the last. */
const createParser = (onParsed: (parsed: ParsedMarkdown) => void): Parser => {
  let worker: Worker | undefined
  let current: string | undefined
  let next: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const end = () => {
    clearTimeout(timer)
    worker?.terminate()
    worker = undefined
    current = undefined
  }
  const answered = (tree: Root | undefined) => {
    clearTimeout(timer)
    const source = current
    current = undefined
    if (source !== undefined) onParsed({ source, tree })
    if (next !== undefined) start(next)
  }
  const fail = () => {
    const source = current
    end()
    current = source
    answered(undefined)
  }
  const open = (): Worker => {
    const opened = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' })
    opened.onmessage = ({ data }: MessageEvent<Root | undefined>) => answered(data)
    opened.onerror = fail
    return opened
  }
  const start = (source: string) => {
    current = source
    next = undefined
    timer = setTimeout(fail, PARSE_TIMEOUT_MS)
    worker ??= open()
    worker.postMessage(source)
  }
  return {
    parse: source => {
      if (current === undefined) start(source)
      else next = source
    },
    end,
  }
}

/** The tree of a text; until a changed text is parsed, that of the one before. */
export const useMarkdown = (source: string): ParsedMarkdown | undefined => {
  const [parsed, setParsed] = useState<ParsedMarkdown>()
  const parser = useRef<Parser>(undefined)
  useEffect(() => {
    const created = createParser(setParsed)
    parser.current = created
    return () => created.end()
  }, [])
  useEffect(() => parser.current?.parse(source), [source])
  return parsed
}
