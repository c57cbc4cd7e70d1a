import { Box, Button, chakra, HStack, Input, SimpleGrid, Stack, Text, Theme } from '@chakra-ui/react'
import { CircleAlert, Copy, LayoutGrid, MoreHorizontal, Pencil, Rows3, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ActPanel } from '#web/components/act-panel.tsx'
import { ActionMenu, type MenuAction, PointerMenu } from '#web/components/action-menu.tsx'
import { AddressText } from '#web/components/address-text.tsx'
import { AnchoredPopover } from '#web/components/anchored-popover.tsx'
import { Card, Fact, StatusCard } from '#web/components/card.tsx'
import { Chip, RemovableChip } from '#web/components/chip.tsx'
import { CodeLine, VariableCode } from '#web/components/code-line.tsx'
import { CodePane } from '#web/components/code-pane.tsx'
import { EmojiPicker } from '#web/components/emoji/emoji-picker.tsx'
import { EmptyState } from '#web/components/empty-state.tsx'
import { Band, ErrorLine, ErrorState } from '#web/components/error-state.tsx'
import { FlowMiniature } from '#web/components/flow-miniature.tsx'
import { Hint, IconButton } from '#web/components/hint.tsx'
import { InstanceBadge, ShapeIcon } from '#web/components/instance-badge.tsx'
import { Mark } from '#web/components/mark.tsx'
import { MarkdownView } from '#web/components/markdown/markdown-view.tsx'
import { MentionList } from '#web/components/mention/mention-list.tsx'
import { MessageText } from '#web/components/message-text.tsx'
import { ConfirmDialog, Modal } from '#web/components/modal.tsx'
import { OptionRow } from '#web/components/option-row.tsx'
import { DesignerSkeleton, PageSkeleton, RowsSkeleton } from '#web/components/page-skeleton.tsx'
import { PasswordInput } from '#web/components/password-input.tsx'
import { PersonAvatar } from '#web/components/person-avatar.tsx'
import { ProgressBar } from '#web/components/progress-bar.tsx'
import { SearchField } from '#web/components/search-field.tsx'
import { SecretDialog } from '#web/components/secret-dialog.tsx'
import { Segments } from '#web/components/segments.tsx'
import { SideDialog } from '#web/components/side-dialog.tsx'
import { UploadProgress } from '#web/components/upload-progress.tsx'
import { EnvironmentBar } from '#web/shell/shell-skeleton.tsx'
import { INSTANCE_THEMES } from '#web/theme/instance-theme.ts'

const TONES = ['neutral', 'accent', 'positive', 'warning', 'danger', 'info'] as const
const PEOPLE = ['Ana Lima', 'Bruno Reis', 'Carla Dias'].map(name => {
  const [firstname = '', lastname = ''] = name.split(' ')
  return { id: name, username: firstname.toLowerCase(), firstname, lastname }
})
const FLOW = [
  [0, 0, 'start'],
  [340, 0, 'message'],
  [680, -120, 'prompt'],
  [680, 120, 'message'],
] as const
const MARKDOWN =
  '# Opening hours\n\n- Monday to **Friday**\n- `08:00` to 18:00\n\n| day | hours |\n|---|---|\n| Sunday | – |'

const nothing = () => {}
const actionsOf = (run: () => void): readonly MenuAction[] => [
  { id: 'edit', label: 'Edit', icon: Pencil, keys: 'E', run },
  { id: 'copy', label: 'Duplicate', icon: Copy, run },
  { id: 'off', label: 'Not available', disabled: true, run },
  { id: 'remove', label: 'Remove', icon: Trash2, danger: true, separated: true, run },
]

const Menus = () => {
  const [at, setAt] = useState<{ readonly x: number; readonly y: number }>()
  return (
    <HStack>
      <ActionMenu label="Actions" actions={actionsOf(nothing)}>
        <IconButton icon={MoreHorizontal} label="More actions" />
      </ActionMenu>
      <Button onClick={event => setAt({ x: event.clientX, y: event.clientY })}>Open MenuAt</Button>
      {at === undefined ? null : (
        <PointerMenu label="Actions here" actions={actionsOf(nothing)} at={at} onClose={() => setAt(undefined)} />
      )}
    </HStack>
  )
}

const Dialogs = () => {
  const [shown, setShown] = useState<'modal' | 'confirm' | 'secret' | 'side'>()
  const close = () => setShown(undefined)
  return (
    <HStack flexWrap="wrap">
      <Button onClick={() => setShown('modal')}>Open Modal</Button>
      <Button onClick={() => setShown('confirm')}>Open ConfirmDialog</Button>
      <Button onClick={() => setShown('secret')}>Open SecretDialog</Button>
      <Button onClick={() => setShown('side')}>Open SideDialog</Button>
      <Modal
        open={shown === 'modal'}
        onClose={close}
        title="Unsaved changes"
        footer={<Button onClick={close}>Stay</Button>}
      >
        <Text>Two fields of this form are not saved.</Text>
      </Modal>
      {shown === 'confirm' ? (
        <ConfirmDialog title="Remove the bot Clinic" action="Remove" onConfirm={async () => {}} onClose={close}>
          The bot and its flows are removed. You can restore them.
        </ConfirmDialog>
      ) : null}
      {shown === 'secret' ? (
        <SecretDialog
          title="Nightly report"
          value="prl_example"
          variable="PARLEY_TOKEN"
          texts={{
            label: 'Token',
            done: 'Token created. Copy it now.',
            once: 'It is shown only this time.',
            sure: 'You have not copied the token yet.',
          }}
          onClose={close}
        />
      ) : null}
      {shown === 'side' ? (
        <SideDialog side="right" onClose={close} aria-label="Help" w="320px" p="4">
          <Button onClick={close}>Close</Button>
        </SideDialog>
      ) : null}
    </HStack>
  )
}

const Popover = () => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <HStack>
      <Button onClick={event => setAnchor(event.currentTarget)}>Open Floating</Button>
      {anchor === null ? null : (
        <AnchoredPopover anchor={anchor} onClose={() => setAnchor(null)} p="3">
          <Input aria-label="Name" defaultValue="Clinic" />
        </AnchoredPopover>
      )}
    </HStack>
  )
}

const Act = () => {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <HStack>
      <Button onClick={event => setAnchor(event.currentTarget)}>Open ActPanel</Button>
      {anchor === null ? null : (
        <ActPanel
          anchor={anchor}
          title="Close the chat with Ana"
          action="Close"
          icon={null}
          isReady
          onAct={async () => {}}
          onClose={() => setAnchor(null)}
        >
          <Text textStyle="dense">The bot goes on where it stopped.</Text>
        </ActPanel>
      )}
    </HStack>
  )
}

const Options = ({ list }: { readonly list: string }) => {
  const [active, setActive] = useState(0)
  return (
    <Box role="listbox" aria-label="Variables" borderWidth="1px" borderRadius="md" p="1">
      {['city', 'first name', 'order number'].map((name, index) => (
        <OptionRow key={name} list={list} index={index} active={active} onPoint={setActive} onChoose={nothing}>
          {name}
        </OptionRow>
      ))}
    </Box>
  )
}

const Views = () => {
  const [value, setValue] = useState<'table' | 'cards'>('table')
  return (
    <Segments<'table' | 'cards'>
      label="View"
      value={value}
      options={[
        { value: 'table', label: 'Table', icon: Rows3 },
        { value: 'cards', label: 'Cards', icon: LayoutGrid },
      ]}
      onChange={setValue}
    />
  )
}

const Code = () => {
  const [code, setCode] = useState('if (age > 18) {\n  adult()\n}')
  return <CodePane label="Script" value={code} onChange={setCode} language="javascript" lineNumbers minHeight="84px" />
}

/** Each shared component by its name. `theme` makes ids unique, since every specimen is rendered once for each theme. */
const SPECIMENS: Readonly<Record<string, (theme: string) => ReactNode>> = {
  'ActionMenu, MenuAt': () => <Menus />,
  AddressText: () => <AddressText path="/botadmin/t/" value="spring" />,
  'Card, Fact': theme => (
    <Card title={`Publishing, ${theme}`} beside={<Chip tone="positive">Live</Chip>}>
      <Text px="4" pb="4">
        Published on 3 March.
      </Text>
      <dl>
        <Fact label="Revision">12</Fact>
      </dl>
    </Card>
  ),
  StatusCard: () => (
    <StatusCard
      role="alert"
      tone="danger"
      icon={CircleAlert}
      title="The test failed"
      lines={['The system refused the key.', '120 ms']}
    />
  ),
  Chip: () => (
    <HStack flexWrap="wrap">
      {TONES.map(tone => (
        <Chip key={tone} tone={tone}>
          {tone}
        </Chip>
      ))}
    </HStack>
  ),
  CodePane: () => <Code />,
  'ConfirmDialog, Modal, SecretDialog, SideDialog': () => <Dialogs />,
  DesignerSkeleton: () => (
    <Box h="220px" overflow="hidden" display="flex">
      <DesignerSkeleton />
    </Box>
  ),
  EmptyState: () => (
    <EmptyState title="No bots" text="A bot answers people in chats." small>
      <Button variant="solid">New bot</Button>
    </EmptyState>
  ),
  ActPanel: () => <Act />,
  EnvironmentBar: () => <EnvironmentBar />,
  Band: () => (
    <Band tone="warning" icon={CircleAlert}>
      This number is simulated.
    </Band>
  ),
  ErrorLine: () => <ErrorLine text="The name is used by another bot." />,
  ErrorState: () => <ErrorState error={new Error('no answer')} onRetry={nothing} />,
  Floating: () => <Popover />,
  FlowMiniature: () => <FlowMiniature blocks={FLOW} />,
  Hint: () => (
    <Hint text="Adds a block" keys="A">
      <Button>Point here</Button>
    </Hint>
  ),
  IconButton: () => <IconButton icon={Pencil} label="Edit" keys="E" />,
  'InstanceBadge, ShapeIcon': () => (
    <HStack flexWrap="wrap">
      <InstanceBadge />
      {Object.values(INSTANCE_THEMES).map(({ shape }) => (
        <ShapeIcon key={shape} shape={shape} />
      ))}
    </HStack>
  ),
  EmojiPicker: () => (
    <EmojiPicker label="Emoji" onChoose={nothing}>
      <Button>Emoji</Button>
    </EmojiPicker>
  ),
  Mark: () => <Mark />,
  MarkdownView: () => <MarkdownView source={MARKDOWN} />,
  MentionList: theme => (
    <MentionList
      id={`people-${theme}`}
      label="People"
      className=""
      people={PEOPLE}
      active={0}
      onPoint={nothing}
      onChoose={nothing}
    />
  ),
  OptionRow: theme => <Options list={`variables-${theme}`} />,
  PageSkeleton: () => <PageSkeleton />,
  PasswordInput: () => <PasswordInput aria-label="Password" defaultValue="secret" />,
  PersonAvatar: () => (
    <HStack>
      {[...PEOPLE, null].map(person => (
        <PersonAvatar key={person?.id ?? 'none'} person={person} size={32} />
      ))}
    </HStack>
  ),
  SearchField: () => <SearchField label="Search bots" value="" onChange={nothing} />,
  CodeLine: () => <CodeLine>https://parley.example/chat/c1</CodeLine>,
  VariableCode: () => <VariableCode name="nome" />,
  ProgressBar: () => <ProgressBar label="Training" percent={42} />,
  RemovableChip: () => (
    <RemovableChip name="yes" disabled={false} onRemove={nothing}>
      yes
    </RemovableChip>
  ),
  RowsSkeleton: () => <RowsSkeleton rows={3} />,
  MessageText: () => <MessageText text={'Olá, **Ana**\nmeu_nome e _itálico_'} />,
  Segments: () => <Views />,
  UploadProgress: () => (
    <>
      <UploadProgress share={0.42} error={undefined} cancel={() => undefined} retry={undefined} />
      <UploadProgress share={undefined} error="The connection was cut." cancel={undefined} retry={() => undefined} />
    </>
  ),
}

/** Every shared component in the light and in the dark theme, side by side. */
export const Components = () => {
  // The rules of the dark theme match everything inside of a dark page.
  useEffect(() => {
    const { classList } = document.documentElement
    const isDark = classList.contains('dark')
    classList.replace('dark', 'light')
    return () => {
      if (isDark) classList.replace('light', 'dark')
    }
  }, [])
  return (
    <SimpleGrid columns={{ base: 1, md: 2 }} gap="4">
      {(['light', 'dark'] as const).map(theme => (
        <Theme key={theme} appearance={theme} colorPalette="accent" hasBackground minW="0" p="4" borderRadius="lg">
          <Stack gap="6">
            {Object.entries(SPECIMENS).map(([name, specimen]) => (
              <chakra.section key={name} aria-label={`${name}, ${theme}`} minW="0">
                <Text as="h2" textStyle="label" color="fg.muted" mb="2">
                  {name}
                </Text>
                {specimen(theme)}
              </chakra.section>
            ))}
          </Stack>
        </Theme>
      ))}
    </SimpleGrid>
  )
}
