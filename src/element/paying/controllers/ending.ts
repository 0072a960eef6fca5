/** Whether the last button was pressed and the page left it at that. */
export class Ending {
  over = false;
}
