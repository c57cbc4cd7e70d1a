import { chakra } from '@chakra-ui/react'

interface Props {
  readonly label: string
  readonly text: string
  /** Labels of buttons. */
  readonly buttons: readonly string[]
}

/** The message of a template as a person reads it. */
export const MessagePreview = ({ label, text, buttons }: Props) => (
  <chakra.section aria-label={label} p="3" borderWidth="1px" borderRadius="lg" bg="bg.subtle" textStyle="dense">
    <chakra.p whiteSpace="pre-wrap" overflowWrap="anywhere">
      {text}
    </chakra.p>
    {buttons.length === 0 ? null : (
      <chakra.p mt="2" textStyle="secondary" color="fg.muted">
        {buttons.join(' · ')}
      </chakra.p>
    )}
  </chakra.section>
)
