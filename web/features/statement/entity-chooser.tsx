import { Box, chakra, HStack, Input, Kbd, Text } from '@chakra-ui/react'
import { Eraser, Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { foldName } from '#schemas/fold-text.ts'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { highlight } from '#web/theme/highlight.ts'
import { hueOf } from './use-intents.ts'

interface Props {
  readonly anchor: HTMLElement | null
  readonly part: string
  /** In the order in which they are offered. */
  readonly choices: readonly string[]
  /** In the order in which they were made. */
  readonly entities: readonly string[]
  /** Whether there is a mark to take away. */
  readonly isMarked: boolean
  onChoose(entity: string): void
  onClear(): void
  onClose(): void
}

interface Option {
  readonly key: string
  readonly kind: 'entity' | 'new' | 'clear'
  readonly name: string
}

const DIGIT = /^[1-9]$/u

const optionsOf = (entities: readonly string[], typed: string, isMarked: boolean): readonly Option[] => {
  const wanted = foldName(typed)
  const found = entities.filter(name => foldName(name).includes(wanted))
  const isKnown = entities.some(name => foldName(name) === wanted)
  return [
    ...found.map((name): Option => ({ key: `e${name}`, kind: 'entity', name })),
    ...(wanted === '' || isKnown || /[()[\]{}:"\\]/u.test(typed)
      ? []
      : [{ key: 'new', kind: 'new' as const, name: typed.trim() }]),
    ...(isMarked && wanted === '' ? [{ key: 'clear', kind: 'clear' as const, name: '' }] : []),
  ]
}

const OptionText = ({ option, entities, digit }: { option: Option; entities: readonly string[]; digit: number }) => {
  const { t } = useTranslation('nlu')
  if (option.kind === 'clear')
    return (
      <>
        <Eraser size={14} aria-hidden="true" />
        {t('mark.clear')}
      </>
    )
  if (option.kind === 'new')
    return (
      <>
        <Plus size={14} aria-hidden="true" />
        {t('mark.new', { name: option.name })}
      </>
    )
  return (
    <>
      <Box boxSize="2.5" borderRadius="2px" colorPalette={hueOf(option.name, entities)} bg="colorPalette.solid" />
      <Text as="span" flex="1" truncate>
        {option.name}
      </Text>
      {digit <= 9 ? <Kbd size="sm">{digit}</Kbd> : null}
    </>
  )
}

interface OptionListProps {
  readonly list: string
  readonly options: readonly Option[]
  readonly active: number
  readonly entities: readonly string[]
  onPoint(at: number): void
  onTake(option: Option): void
}

const OptionList = ({ list, options, active, entities, onPoint, onTake }: OptionListProps) => {
  const { t } = useTranslation('nlu')
  return (
    <Box id={list} role="listbox" aria-label={t('mark.entities')} mt="1.5" maxH="264px" overflow="auto">
      {options.map((option, at) => (
        <chakra.div
          key={option.key}
          id={`${list}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          px="1.5"
          minH={{ base: '11', md: '8' }}
          borderRadius="md"
          cursor="pointer"
          display="flex"
          alignItems="center"
          {...(at === active ? highlight : {})}
          color={option.kind === 'new' ? 'accent.fg' : undefined}
          onPointerMove={() => onPoint(at)}
          onClick={() => onTake(option)}
        >
          <HStack gap="2" w="100%" textStyle="dense">
            <OptionText option={option} entities={entities} digit={at + 1} />
          </HStack>
        </chakra.div>
      ))}
    </Box>
  )
}

/** Which entity a part of a line is: a digit, or some letters of its name and Enter. */
export const EntityChooser = ({ anchor, part, choices, entities, isMarked, onChoose, onClear, onClose }: Props) => {
  const { t } = useTranslation('nlu')
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const list = useId()
  const options = optionsOf(choices, typed, isMarked)
  const take = (option: Option | undefined) => {
    if (option === undefined) return
    if (option.kind === 'clear') onClear()
    else onChoose(option.name)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const digit = typed === '' && DIGIT.test(event.key) ? choices[Number(event.key) - 1] : undefined
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (digit !== undefined) onChoose(digit)
    else if (event.key === 'Enter') take(options[active])
    else if (step !== 0) setActive(at => (at + step + options.length) % Math.max(1, options.length))
    else return
    event.preventDefault()
  }
  return (
    <AnchoredPopover
      anchor={anchor}
      onClose={onClose}
      p="2"
      w="280px"
      role="dialog"
      aria-label={t('mark.title', { part })}
      css={{
        '@media (max-width: 47.99em)': { width: '100vw', maxWidth: '100vw', left: '0!', top: 'auto!', bottom: '0' },
      }}
    >
      <Text textStyle="secondary" color="fg.muted" px="1.5" pb="1.5" truncate>
        {t('mark.title', { part })}
      </Text>
      <Input
        data-autofocus
        size="sm"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={options.length === 0 ? undefined : `${list}-${active}`}
        aria-label={t('mark.find')}
        placeholder={t('mark.find')}
        value={typed}
        onChange={event => {
          setTyped(event.target.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <OptionList {...{ list, options, active, entities }} onPoint={setActive} onTake={take} />
      {options.length === 0 ? (
        <Text textStyle="secondary" color="fg.muted" px="1.5" py="1">
          {t('mark.none')}
        </Text>
      ) : null}
    </AnchoredPopover>
  )
}
