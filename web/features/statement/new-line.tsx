import { Box, HStack, Input, Kbd, Text } from '@chakra-ui/react'
import { Check, Copy, Shuffle } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { parseStatement, printStatement } from '#domain/nlu/project-data.ts'
import type { StatementIndex } from '#domain/nlu/statement-index.ts'
import type { Intent } from './use-intents.ts'

interface Props {
  readonly intent: Intent
  readonly index: StatementIndex
  onAdd(text: string): void
}

/** Status of a line being typed, within this project. */
const standingOf = (text: string, intent: Intent, index: StatementIndex) => {
  const plain = parseStatement(text).text
  if (plain.trim() === '') return undefined
  const same = index.same(plain)
  if (same.some(line => line.intent === intent.id)) return { kind: 'known' as const }
  const near = index.near(plain, intent.id)
  return near === undefined ? { kind: 'new' as const } : { kind: 'near' as const, near }
}

const LOOKS = { known: [Copy, 'fg.muted'], near: [Shuffle, 'warning.fg'], new: [Check, 'positive.fg'] } as const

/** The field of a new line: says while it is typed whether it is new, and where it looks like. */
export const NewLine = ({ intent, index, onAdd }: Props) => {
  const { t } = useTranslation('nlu')
  const [text, setText] = useState('')
  const standing = standingOf(text, intent, index)
  const add = () => {
    const parsed = parseStatement(text.trim())
    if (parsed.text.trim() === '') return
    onAdd(printStatement(parsed))
    setText('')
  }
  const [Glyph, color] = standing === undefined ? [undefined, undefined] : LOOKS[standing.kind]
  return (
    <Box position="relative">
      <Input
        aria-label={t('line.new')}
        placeholder={t('line.new')}
        value={text}
        maxLength={2000}
        pe={{ base: '3', md: '56' }}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') add()
        }}
        onPaste={event => {
          const lines = event.clipboardData.getData('text/plain').split(/\r?\n/u)
          if (lines.filter(line => line.trim() !== '').length < 2) return
          event.preventDefault()
          for (const line of lines) if (line.trim() !== '') onAdd(printStatement(parseStatement(line.trim())))
        }}
      />
      <HStack
        role="status"
        gap="2"
        position={{ base: 'static', md: 'absolute' }}
        right="3"
        top="0"
        h={{ base: 'auto', md: '100%' }}
        maxW={{ base: '100%', md: '52' }}
        pointerEvents="none"
        textStyle="secondary"
        color={color}
      >
        {standing === undefined || Glyph === undefined ? null : (
          <>
            <Glyph size={14} aria-hidden="true" style={{ flex: 'none' }} />
            <Text as="span" truncate>
              {standing.kind === 'near'
                ? t('line.near', { name: standing.near.name, score: standing.near.score })
                : t(`line.is${standing.kind}`)}
            </Text>
            <Kbd size="sm" hideBelow="md">
              Enter
            </Kbd>
          </>
        )}
      </HStack>
    </Box>
  )
}
