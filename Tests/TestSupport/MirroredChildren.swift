// SPDX-License-Identifier: Apache-2.0

/// Returns what a dump shows of a value: its children, each as the label, a colon and the child's description.
package func mirroredChildren(of value: Any) -> [String] {
  Mirror(reflecting: value).children.map { "\($0.label ?? ""): \($0.value)" }
}
