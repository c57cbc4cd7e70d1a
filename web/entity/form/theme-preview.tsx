import { Box, Button, chakra, HStack, Stack, Text } from '@chakra-ui/react'
import { Bot, CircleCheck, Send, TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { contrastRatio, MIN_CONTRAST, readableColor } from '#domain/color.ts'
import { theme } from '#schemas/entities/theme.ts'
import type { Value } from '#web/entity/entity-query.ts'
import { useLabel } from '#web/entity/label.ts'
import type { SectionPreviewProps } from './section-control-props.ts'

type Colors = Readonly<Record<string, string>>

/** Chat colors that apply if the theme sets none. */
const INITIAL: Colors = {
  primary: '#1B1A17',
  background: '#FFFFFF',
  text: '#5E5B54',
  header_background: '#1B1A17',
  header_text: '#FFFFFF',
  bot_message: '#F1EFEA',
  bot_text: '#1B1A17',
  user_message: '#1B1A17',
  user_text: '#FFFFFF',
}

/** The buttons are written in the primary colour. */
const PAIRS: readonly (readonly [text: string, ground: string])[] = [
  ...theme.fields.colors.contrast,
  ['primary', 'background'],
]

const COLOR = /^#[0-9a-f]{6}(?:[0-9a-f]{2})?$/iu

const givenIn = (value: unknown): Colors =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([, color]) => typeof color === 'string' && COLOR.test(color)))
    : {}

interface Fault {
  readonly text: string
  readonly ground: string
  readonly ratio: number
  readonly proposal: string | undefined
}

const faultsOf = (colors: Colors): readonly Fault[] =>
  PAIRS.flatMap(([text, ground]) => {
    const [own = '', under = ''] = [colors[text], colors[ground]]
    const ratio = contrastRatio(own, under)
    if (ratio === undefined || ratio >= MIN_CONTRAST) return []
    return [{ text, ground, ratio, proposal: readableColor(own, under) }]
  })

interface ChatProps {
  readonly colors: Colors
  readonly faults: readonly Fault[]
}

/** The dashed edge of a text that cannot be read well. */
const edgeOf = (faults: readonly Fault[], text: string) =>
  faults.some(fault => fault.text === text)
    ? { outlineWidth: '2px', outlineStyle: 'dashed', outlineColor: 'danger.solid', outlineOffset: '2px' }
    : {}

const lookOf = (colors: Colors, text: string, ground: string) => ({
  style: { color: colors[text], background: colors[ground] },
})

const BUBBLE = { px: '3', py: '2', borderRadius: '14px', maxW: '82%', fontSize: 'sm', w: 'fit-content' } as const

const ChatHeader = ({ colors, faults }: ChatProps) => {
  const { t } = useTranslation('entity/theme')
  return (
    <HStack gap="2.5" px="4" py="3" {...lookOf(colors, 'header_text', 'header_background')}>
      <Bot size={22} aria-hidden="true" />
      <Box {...edgeOf(faults, 'header_text')} borderRadius="sm">
        <Text fontWeight="semibold" fontSize="sm">
          {t('preview.header')}
        </Text>
        <Text fontSize="xs">{t('preview.state')}</Text>
      </Box>
    </HStack>
  )
}

const Bubbles = ({ colors, faults }: ChatProps) => {
  const { t } = useTranslation('entity/theme')
  const ofBot = lookOf(colors, 'bot_text', 'bot_message')
  return (
    <>
      <Box {...BUBBLE} {...ofBot} {...edgeOf(faults, 'bot_text')}>
        {t('preview.hello')}
      </Box>
      <Box
        {...BUBBLE}
        alignSelf="flex-end"
        {...lookOf(colors, 'user_text', 'user_message')}
        {...edgeOf(faults, 'user_text')}
      >
        {t('preview.person')}
      </Box>
      <Box {...BUBBLE} {...ofBot}>
        {t('preview.question')}
      </Box>
      <HStack gap="2">
        {(['first', 'second'] as const).map(name => (
          <chakra.span
            key={name}
            px="3"
            py="1.5"
            borderRadius="full"
            borderWidth="1px"
            fontSize="xs"
            fontWeight="semibold"
            style={{ color: colors.primary, borderColor: colors.primary }}
            {...edgeOf(faults, 'primary')}
          >
            {t(`preview.${name}`)}
          </chakra.span>
        ))}
      </HStack>
    </>
  )
}

/** The chat in the colours of the theme. */
const Chat = ({ colors, faults }: ChatProps) => {
  const { t } = useTranslation('entity/theme')
  const send = { background: colors.primary, color: readableColor('#FFFFFF', colors.primary ?? '', 3) }
  return (
    <Box
      role="img"
      aria-label={t('preview.title')}
      borderRadius="16px"
      borderWidth="1px"
      overflow="hidden"
      boxShadow="raised"
    >
      <ChatHeader colors={colors} faults={faults} />
      <Stack gap="2.5" p="4" {...lookOf(colors, 'text', 'background')}>
        <Text alignSelf="center" fontSize="xs" borderRadius="sm" {...edgeOf(faults, 'text')}>
          {t('preview.today')}
        </Text>
        <Bubbles colors={colors} faults={faults} />
        <HStack gap="2" mt="3" pt="3" borderTopWidth="1px" borderColor="currentColor">
          <Text flex="1" fontSize="sm">
            {t('preview.write')}
          </Text>
          <Box p="2" borderRadius="full" style={send}>
            <Send size={16} aria-hidden="true" />
          </Box>
        </HStack>
      </Stack>
    </Box>
  )
}

interface FaultsProps {
  readonly faults: readonly Fault[]
  readonly word: (name: string) => string
  /** Gives a text the proposed colour; undefined where it may not be changed. */
  readonly onUse: ((text: string, color: string) => void) | undefined
}

const Faults = ({ faults, word, onUse }: FaultsProps) => {
  const { t } = useTranslation('entity/theme')
  if (faults.length === 0) {
    return (
      <HStack mt="3" gap="2" color="positive.fg" textStyle="dense" role="status">
        <CircleCheck size={16} aria-hidden="true" />
        {t('preview.readable')}
      </HStack>
    )
  }
  return (
    <Box mt="3" role="status">
      <HStack gap="2" color="danger.fg" textStyle="dense" fontWeight="semibold">
        <TriangleAlert size={16} aria-hidden="true" />
        {t('preview.faults')}
      </HStack>
      <chakra.ul listStyleType="none" ps="0">
        {faults.map(({ text, ground, ratio, proposal }) => (
          <chakra.li key={`${text} ${ground}`} mt="2" textStyle="secondary">
            {t('preview.low', {
              text: word(text),
              ground: word(ground),
              ratio: ratio.toFixed(1),
              min: String(MIN_CONTRAST),
            })}
            {onUse === undefined || proposal === undefined ? null : (
              <Button size="xs" variant="outline" ms="2" onClick={() => onUse(text, proposal)}>
                <Box boxSize="3" borderRadius="sm" borderWidth="1px" style={{ background: proposal }} />
                {t('preview.use', { color: proposal })}
              </Button>
            )}
          </chakra.li>
        ))}
      </chakra.ul>
    </Box>
  )
}

/** Live preview of a theme in the web chat, with texts of low contrast. */
export const ThemePreview = ({ entity, values, readOnly, onChange }: SectionPreviewProps) => {
  const { t } = useTranslation('entity/theme')
  const label = useLabel()
  const given = givenIn(values.colors)
  const colors = { ...INITIAL, ...given }
  const faults = faultsOf(colors)
  const word = (name: string) => label.texts(entity.name, 'colors').option(name)
  return (
    <chakra.section aria-label={t('preview.title')} position={{ xl: 'sticky' }} top="4">
      <Text textStyle="label" mb="2">
        {t('preview.title')}
      </Text>
      <Chat colors={colors} faults={faults} />
      <Text textStyle="secondary" color="fg.muted" mt="2">
        {t('preview.hint')}
      </Text>
      <Faults
        faults={faults}
        word={word}
        onUse={
          readOnly
            ? undefined
            : (text, color) => onChange('colors', { ...(values.colors as object), [text]: color } as Value)
        }
      />
    </chakra.section>
  )
}
