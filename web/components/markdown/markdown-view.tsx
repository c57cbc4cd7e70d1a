import { Box, Text } from '@chakra-ui/react'
import { useMemo } from 'react'
import { markdownElement } from './element.tsx'
import { useMarkdown } from './use-markdown.ts'

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
