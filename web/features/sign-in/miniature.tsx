import { Box, chakra, HStack, Text } from '@chakra-ui/react'
import { Flag, MessageCircleQuestionMark, MessageSquareText, Split } from 'lucide-react'
import { useTranslation } from 'react-i18next'

type Kind = 'marker' | 'text' | 'prompt' | 'condition'

const ICONS = { marker: Flag, text: MessageSquareText, prompt: MessageCircleQuestionMark, condition: Split }
const BLOCKS: readonly { kind: Kind; x: number; y: number; line: string; ring?: boolean }[] = [
  { kind: 'marker', x: 0, y: 0, line: 'welcome' },
  { kind: 'text', x: 0, y: 90, line: 'hello' },
  { kind: 'condition', x: 0, y: 180, line: 'channel' },
  { kind: 'marker', x: 0, y: 342, line: 'menu' },
  { kind: 'prompt', x: 0, y: 432, line: 'ask' },
  { kind: 'marker', x: 356, y: 342, line: 'whatsapp' },
  { kind: 'text', x: 356, y: 432, line: 'options', ring: true },
  { kind: 'prompt', x: 356, y: 522, line: 'wait' },
]
const LINKS = [
  'M120 72V90',
  'M120 162V180',
  'M60 252C60 310 120 290 120 336',
  'M180 252C180 330 476 280 476 336',
  'M120 414V432',
  'M476 414V432',
  'M476 504V522',
]

const EDITS = '3153182215231148226341523114862231452861'

const Block = ({ kind, x, y, line, ring = false }: (typeof BLOCKS)[number]) => {
  const { t } = useTranslation('shell')
  const Glyph = ICONS[kind]
  const category = kind === 'marker' || kind === 'condition' ? 'flow' : 'interaction'
  return (
    <HStack
      position="absolute"
      w="240px"
      h="72px"
      gap="2.5"
      px="2.5"
      align={kind === 'marker' ? 'center' : 'flex-start'}
      pt={kind === 'marker' ? '0' : '2'}
      borderWidth="1px"
      borderRadius="lg"
      boxShadow="block"
      bg={kind === 'marker' ? 'category.flow.subtle' : 'bg.surface'}
      borderColor={kind === 'marker' ? 'category.flow.border' : 'border.emphasized'}
      outline={ring ? '2px solid' : undefined}
      outlineColor="person.5"
      outlineOffset="4px"
      style={{ left: x, top: y }}
    >
      <Box
        boxSize="30px"
        flex="none"
        display="grid"
        placeItems="center"
        bg={`category.${category}.muted`}
        color={`category.${category}.fg`}
        borderRadius={category === 'flow' ? 'full' : '9px 9px 9px 2px'}
      >
        <Glyph size={17} strokeWidth={1.75} />
      </Box>
      <Box minW="0">
        {kind === 'marker' ? (
          <Text fontSize="17px" fontWeight="semibold" truncate>
            {t(`signin.mini.${line}`)}
          </Text>
        ) : (
          <>
            <Text fontSize="12.5px" fontWeight="semibold" color="fg.muted">
              {t(`signin.mini.${kind}`)}
            </Text>
            <Text fontSize="sm" lineHeight="19px" lineClamp={2}>
              {t(`signin.mini.${line}`)}
            </Text>
          </>
        )}
      </Box>
    </HStack>
  )
}

const Cursor = ({ name, color, x, y, drift }: { name: string; color: string; x: number; y: number; drift: string }) => (
  <Box
    position="absolute"
    style={{ left: x, top: y, animation: `${drift} 9s ease-in-out infinite alternate` }}
    color={color}
  >
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <path d="M1 1l11 4.5-5 1.8L5.2 12.500z" fill="currentColor" />
    </svg>
    <Box bg="currentColor" ms="3" px="1.5" borderRadius="sm" fontSize="xs" fontWeight="semibold">
      <chakra.span color={{ base: 'white', _dark: '#121211' }}>{name}</chakra.span>
    </Box>
  </Box>
)

/** Decorative picture: two people edit a flow. */
export const Miniature = () => {
  const { t } = useTranslation('shell')
  return (
    <Box
      aria-hidden="true"
      flex="1"
      display={{ base: 'none', lg: 'block' }}
      position="relative"
      overflow="hidden"
      borderLeftWidth="1px"
      bg="canvas.bg"
      backgroundImage="radial-gradient({colors.canvas.dot} 1px, transparent 1px)"
      backgroundSize="20px 20px"
      userSelect="none"
    >
      <Box position="absolute" left="50%" top="50%" w="596px" h="600px" translate="-50% calc(-50% - 36px)">
        <chakra.svg position="absolute" inset="0" w="100%" h="100%" overflow="visible" color="canvas.link">
          {LINKS.map(path => (
            <path key={path} d={path} fill="none" stroke="currentColor" strokeWidth="2" />
          ))}
        </chakra.svg>
        {BLOCKS.map(block => (
          <Block key={`${block.x}${block.y}`} {...block} />
        ))}
        <Box
          position="absolute"
          left="350px"
          top="407px"
          bg="person.5"
          px="1.5"
          borderRadius="sm"
          fontSize="xs"
          fontWeight="semibold"
        >
          <chakra.span color={{ base: 'white', _dark: '#121211' }}>Marina</chakra.span>
        </Box>
        <Cursor name="Marina" color="person.5" x={560} y={480} drift="parley-drift" />
        <Cursor name="João" color="person.3" x={480} y={110} drift="parley-drift-back" />
      </Box>
      <Box position="absolute" left="48px" right="48px" bottom="32px">
        <Text textStyle="dense" mb="3">
          <chakra.span fontWeight="semibold">{t('signin.claim')}</chakra.span>{' '}
          <chakra.span color="fg.muted">{t('signin.claimtext')}</chakra.span>
        </Text>
        <HStack justify="space-between" position="relative" h="16px">
          <Box position="absolute" insetX="0" top="50%" h="1px" bg="border.emphasized" />
          {[...EDITS].map((person, at) => (
            <Box
              // biome-ignore lint/suspicious/noArrayIndexKey: marks without identity
              key={at}
              boxSize="9px"
              position="relative"
              borderRadius={at % 3 === 0 ? 'full' : '2px'}
              bg={`person.${person}`}
              opacity={at > 32 ? 0.35 : 1}
              translate={`0 ${at % 2 === 0 ? -3 : 3}px`}
            />
          ))}
          <Box position="absolute" left="82%" top="-8px" bottom="-8px" w="2px" bg="accent.solid">
            <Box position="absolute" top="-4px" left="-5px" boxSize="12px" borderRadius="full" bg="accent.solid" />
          </Box>
        </HStack>
      </Box>
    </Box>
  )
}
