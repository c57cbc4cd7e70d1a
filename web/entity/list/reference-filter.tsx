import { Box, HStack, Input, Text } from '@chakra-ui/react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type EntityName, entityOf } from '#schemas/entities/registry.ts'
import { parentField } from '#schemas/entity.ts'
import { listQuery } from '#web/entity/entity-query.ts'
import { inSentence, useLabel } from '#web/entity/label.ts'
import { ReferenceName } from '#web/entity/value-text.tsx'
import { useDebouncedValue } from '#web/timer.ts'
import { ChoiceButton } from './chip-frame.tsx'

const MAX_OPTIONS = 20
const SEARCH_DELAY_MS = 250

interface Props {
  readonly title: string
  readonly to: EntityName
  readonly within: Readonly<Record<string, string>>
  readonly value: string | undefined
  onChange(value: string | undefined): void
}

/** Arrows move between the search field and the options below it. */
const onArrow = (event: React.KeyboardEvent<HTMLElement>) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')]
  event.preventDefault()
  stops[stops.indexOf(document.activeElement as HTMLElement) + step]?.focus()
}

interface OptionProps {
  readonly title: string
  readonly isChosen: boolean
  /** Its parent. */
  readonly children: ReactNode
  onChoose(): void
}

const Option = ({ title, isChosen, children, onChoose }: OptionProps) => (
  <li>
    <ChoiceButton aria-pressed={isChosen} isChosen={isChosen} onClick={onChoose} py="1">
      <Box flex="1" minW="0">
        <Text truncate>{title}</Text>
        {children}
      </Box>
    </ChoiceButton>
  </li>
)

/** Finds one of the things of an entity by typing. */
export const ReferenceFilter = ({ title, to, within, value, onChange }: Props) => {
  const { t } = useTranslation('list')
  const label = useLabel()
  const declaration = entityOf(to)
  const parent = parentField(declaration)
  const box = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const search = useDebouncedValue(typed, SEARCH_DELAY_MS)
  useEffect(() => box.current?.focus(), [])
  const { data, isError } = useQuery(
    listQuery(to, {
      ...(parent !== undefined && within[parent] !== undefined ? { [parent]: within[parent] } : {}),
      search,
      sort: declaration.title,
      size: MAX_OPTIONS,
    }),
  )
  const more = (data?.total ?? 0) - (data?.items.length ?? 0)
  return (
    <Box role="group" aria-label={title} w="260px" maxW="100%" onKeyDown={onArrow}>
      <Box p="1">
        <Input
          ref={box}
          type="search"
          aria-label={t('filter.find', { name: label.plural(to) })}
          placeholder={t('filter.find', { name: inSentence(label.plural(to)) })}
          value={typed}
          onChange={event => setTyped(event.target.value)}
        />
      </Box>
      <Box as="ul" listStyleType="none" mt="1">
        {data?.items.map(row => (
          <Option
            key={row.id}
            title={String(row[declaration.title] ?? row.id)}
            isChosen={row.id === value}
            onChoose={() => onChange(row.id === value ? undefined : row.id)}
          >
            {parent !== undefined && within[parent] === undefined && typeof row[parent] === 'string' ? (
              <HStack textStyle="secondary" color="fg.muted">
                <ReferenceName to={parent} id={row[parent]} />
              </HStack>
            ) : null}
          </Option>
        ))}
      </Box>
      <Text
        role="status"
        px="2"
        py={data?.items.length === 0 || more > 0 || isError ? '1.5' : '0'}
        textStyle="secondary"
        color="fg.muted"
      >
        {isError ? t('filter.failed') : null}
        {data?.items.length === 0 ? t('filter.nothing') : null}
        {more > 0 ? t('filter.more', { count: more }) : null}
      </Text>
    </Box>
  )
}
