import { Box, Text } from '@chakra-ui/react'
import type { Root } from 'mdast'
import { useEffect, useMemo, useRef, useState } from 'react'
import { markdownElement } from './element.tsx'

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
const useMarkdown = (source: string): ParsedMarkdown | undefined => {
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

interface Props {
  readonly source: string
}

const STYLES = {
  fontSize: 'sm',
  lineHeight: '22px',
  overflowWrap: 'anywhere',
  '& > * + *, & blockquote > * + *, & li > * + *': { mt: '3' },
  '& li > :is(ul, ol)': { mt: '1' },
  '& :is(h3, h4, h5, h6)': { fontWeight: 'semibold', lineHeight: '1.35' },
  '& > :is(h3, h4, h5, h6):not(:first-child)': { mt: '5' },
  '& h3': { fontSize: 'lg' },
  '& h4': { fontSize: 'md' },
  '& ul': { listStyleType: 'disc', ps: '5' },
  '& ol': { listStyleType: 'decimal', ps: '5' },
  '& li[data-task]': { listStyleType: 'none', ms: '-5' },
  '& li + li': { mt: '1' },
  '& a': { color: 'accent.fg', textDecoration: 'underline' },
  '& code': { fontFamily: 'mono', fontSize: 'xs', bg: 'bg.sunken', borderRadius: 'sm', px: '1', py: '0.5' },
  '& pre': { bg: 'bg.sunken', borderRadius: 'md', p: '3', lineHeight: '20px' },
  '& pre code': { bg: 'transparent', p: '0', whiteSpace: 'pre', overflowWrap: 'normal' },
  '& blockquote': { borderLeftWidth: '3px', borderColor: 'border.emphasized', ps: '3', color: 'fg.muted' },
  '& hr': { borderTopWidth: '1px', my: '4' },
  '& [data-scroll]': { overflowX: 'auto' },
  '& [data-footnote]': { display: 'flex', gap: '2', fontSize: 'xs' },
  '& img': { maxW: '100%', borderRadius: 'md' },
  '& table': { borderCollapse: 'collapse', minW: '50%' },
  '& :is(th, td)': { borderWidth: '1px', px: '2.5', py: '1', textAlign: 'start', verticalAlign: 'top' },
  '& th': { bg: 'bg.subtle', fontWeight: 'semibold' },
} as const

/** Rendered markdown, made of elements and never of HTML text. Until it is parsed, and where it cannot be, its text. */
export const MarkdownView = ({ source }: Props) => {
  const parsed = useMarkdown(source)
  const tree = parsed?.tree
  const content = useMemo(() => (tree === undefined ? undefined : markdownElement(tree)), [tree])
  if (content === undefined)
    return (
      <Text whiteSpace="pre-wrap" overflowWrap="anywhere" fontSize="sm" aria-busy={parsed === undefined}>
        {source}
      </Text>
    )
  return (
    <Box css={STYLES} data-markdown="">
      {content}
    </Box>
  )
}
