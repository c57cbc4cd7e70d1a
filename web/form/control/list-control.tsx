import { Box, Button, chakra, HStack, SimpleGrid, Text } from '@chakra-ui/react'
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Plus, X } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hiddenFields, initialValues } from '#domain/field/stored-items.ts'
import { clearedFields } from '#domain/field/validate.ts'
import type { JsonObject } from '#schemas/event.ts'
import type { ItemField, ListField } from '#schemas/field/kind.ts'
import { IconButton } from '#web/components/hint.tsx'
import type { ControlProps } from './control-props.ts'

interface ListMember {
  readonly name: string
  readonly field: ItemField
  readonly item: JsonObject
  /** `0.name`: the path within the list. */
  readonly path: string
  onChange(value: JsonObject[string]): void
}

interface ListProps extends ControlProps<readonly JsonObject[]> {
  readonly field: ListField
  readonly renderMember: (member: ListMember) => ReactNode
  /** Text of an option of the field that is the title of items. */
  readonly titleOption: (value: string) => string
  /** Names of the members that were cleared because they are no longer shown. */
  readonly onCleared: (names: readonly string[]) => void
  /** Shows one item at a time, below a tab for each. */
  readonly renderTab?: (item: JsonObject, place: number) => ReactNode
  /** Of the first item with a fault, which is shown. */
  readonly faultAt?: number | undefined
}

interface ItemProps extends ListProps {
  readonly item: JsonObject
  readonly place: number
  onItem(item: JsonObject): void
  onMove(step: -1 | 1): void
  onRemove(): void
}

const ItemTools = ({ place, value, field, renderTab, onMove, onRemove }: ItemProps) => {
  const { t } = useTranslation('shell')
  const name = t('form.item', { place: place + 1 })
  const isTab = renderTab !== undefined
  return (
    <HStack gap="0" flex="none">
      <IconButton
        icon={isTab ? ArrowLeft : ArrowUp}
        label={t(isTab ? 'form.moveleft' : 'form.moveup', { name })}
        disabled={place === 0}
        onClick={() => onMove(-1)}
      />
      <IconButton
        icon={isTab ? ArrowRight : ArrowDown}
        label={t(isTab ? 'form.moveright' : 'form.movedown', { name })}
        disabled={place === value.length - 1}
        onClick={() => onMove(1)}
      />
      <IconButton
        icon={X}
        label={t('form.removeitem', { name })}
        disabled={value.length <= field.minItems}
        onClick={onRemove}
      />
    </HStack>
  )
}

/** Title of an item; undefined while it has none. */
const titleOf = ({ field, item, titleOption }: Pick<ItemProps, 'field' | 'item' | 'titleOption'>) => {
  const title = item[field.itemTitle]
  if (typeof title !== 'string' || title.trim() === '') return undefined
  return field.item[field.itemTitle]?.kind === 'enumeration' ? titleOption(title) : title
}

const Item = (props: ItemProps) => {
  const { t } = useTranslation('shell')
  const { field, item, place, renderMember, onItem, onCleared } = props
  const hidden = hiddenFields(field.item, item)
  const title = titleOf(props)
  const change = (name: string, next: JsonObject[string]) => {
    const changed = { ...item, [name]: next }
    const cleared = clearedFields(field.item, changed, { [name]: next })
    const names = Object.keys(cleared)
    if (names.length > 0) onCleared(names)
    onItem({ ...changed, ...cleared })
  }
  return (
    <Box as="li" data-item={place} borderWidth="1px" borderRadius="md" bg="bg.subtle" px="3" pt="1.5" pb="3" minW="0">
      <HStack justify="space-between" gap="2" mb="1.5" minH="8">
        <Text textStyle="label" truncate>
          {title ?? t('form.item', { place: place + 1 })}
        </Text>
        {props.readOnly || props.disabled ? null : <ItemTools {...props} />}
      </HStack>
      <SimpleGrid columns={{ base: 1, md: 2 }} columnGap="4" rowGap="3">
        {Object.entries(field.item).map(([name, member]) =>
          hidden.has(name) ? null : (
            <Box key={name} minW="0">
              {renderMember({
                name,
                field: member,
                item,
                path: `${place}.${name}`,
                onChange: next => change(name, next),
              })}
            </Box>
          ),
        )}
      </SimpleGrid>
    </Box>
  )
}

const CONTROL = 'input, textarea, select, [contenteditable=true], button[role=switch]'

const moved = (items: readonly JsonObject[], place: number, step: -1 | 1): readonly JsonObject[] => {
  const next = items.filter((_, index) => index !== place)
  const [item] = items.slice(place, place + 1)
  return item === undefined ? items : next.toSpliced(place + step, 0, item)
}

interface TabsProps extends Required<Pick<ListProps, 'value' | 'renderTab'>> {
  readonly id: string
  readonly at: number
  readonly onChoose: (place: number) => void
  readonly children: ReactNode
}

/** A tab for each item; the arrow keys go from one to the next. */
const Tabs = ({ id, value, at, renderTab, onChoose, children }: TabsProps) => {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const next = at + step
    if (step === 0 || next < 0 || next >= value.length) return
    event.preventDefault()
    onChoose(next)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
  }
  return (
    <Box display="grid" gridTemplateColumns="repeat(auto-fill, minmax(176px, 1fr))" gap="2" mb="3">
      <Box ref={list} role="tablist" aria-labelledby={`${id}-label`} display="contents" onKeyDown={onKeyDown}>
        {value.map((item, place) => (
          <chakra.button
            key={String(item.id ?? place)}
            type="button"
            role="tab"
            data-tab={place}
            aria-selected={place === at}
            tabIndex={place === at ? 0 : -1}
            minW="0"
            px="2"
            py="1.5"
            borderWidth="1px"
            borderRadius="md"
            cursor="pointer"
            focusVisibleRing="outside"
            {...(place === at
              ? { bg: 'accent.subtle', borderColor: 'accent.solid' }
              : { bg: 'bg.surface', _hover: { bg: 'bg.subtle' } })}
            onClick={() => onChoose(place)}
          >
            {renderTab(item, place)}
          </chakra.button>
        ))}
      </Box>
      {children}
    </Box>
  )
}

/** A list of groups: items are added, moved and removed; each shows its own fields. */
export const ListControl = (props: ListProps) => {
  const { t } = useTranslation('shell')
  const { value, field, onChange, id, describedBy, renderTab, faultAt } = props
  const list = useRef<HTMLUListElement>(null)
  const [chosen, setChosen] = useState(0)
  useEffect(() => {
    if (faultAt !== undefined) setChosen(faultAt)
  }, [faultAt])
  const at = Math.min(chosen, value.length - 1)
  const isShown = (place: number) => renderTab === undefined || place === at
  const focusItem = (place: number) =>
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>(`:scope > [data-item="${place}"] :is(${CONTROL})`)?.focus(),
    )
  const add = () => {
    onChange([...value, { ...initialValues(field.item), id: crypto.randomUUID() }])
    setChosen(value.length)
    focusItem(value.length)
  }
  const isFixed = props.readOnly === true || props.disabled === true
  const isTabbed = renderTab !== undefined && value.length > 0
  const adder = isFixed ? null : (
    <Button
      id={id}
      aria-labelledby={`${id} ${id}-label`}
      {...(isTabbed
        ? { variant: 'outline', borderStyle: 'dashed', bg: 'transparent', h: 'auto', minH: '11' }
        : { size: 'sm', mt: value.length === 0 ? '0' : '2', h: { base: '11', md: '8' } })}
      disabled={value.length >= field.maxItems}
      onClick={add}
    >
      <Plus size={14} aria-hidden="true" />
      {t('form.additem')}
    </Button>
  )
  return (
    <Box w="100%" role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      {isTabbed ? (
        <Tabs id={id} value={value} at={at} renderTab={renderTab} onChoose={setChosen}>
          {adder}
        </Tabs>
      ) : null}
      {value.length === 0 && isFixed ? (
        <Text color="fg.subtle" fontSize="sm">
          –
        </Text>
      ) : null}
      <Box as="ul" ref={list} listStyleType="none" display="grid" gap="2">
        {value.map((item, place) =>
          isShown(place) ? (
            <Item
              {...props}
              key={String(item.id ?? place)}
              item={item}
              place={place}
              onItem={next => onChange(value.with(place, next))}
              onMove={step => {
                setChosen(place + step)
                onChange(moved(value, place, step))
              }}
              onRemove={() => onChange(value.toSpliced(place, 1))}
            />
          ) : null,
        )}
      </Box>
      {isTabbed ? null : adder}
    </Box>
  )
}
